package import SaveCodec

/// What `$objects` holds of a class: its name, and the names that an unarchiver may fall back to.
package struct ClassRecord: Sendable {
    /// The object that the record is.
    package let uid: UID
    /// The name of the class, `$classname`.
    package let name: StoredString
    /// The string that the name is stored as.
    let storedName: ObjectID
    /// The class and its ancestors, from the class up; nil where none are stored, as of a renamed class.
    package let chain: NameList?
    /// Names to fall back to where there is no such class, `$classhints`; nil where none are stored.
    package let hints: NameList?
    /// Foundation's class of this name, or that of another framework which games use.
    let foundation: FoundationClass?

    init(uid: UID, name: StoredString, storedName: ObjectID, chain: NameList?, hints: NameList?) {
        self.uid = uid
        self.name = name
        self.storedName = storedName
        self.chain = chain
        self.hints = hints
        foundation = FoundationClass.named(name)
    }

    /// The members that a record may have.
    static let members: [StaticString] = ["$classname", "$classes", "$classhints"]
}
