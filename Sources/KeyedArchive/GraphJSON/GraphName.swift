/// The names that graph JSON has for itself.
enum GraphName: String, CaseIterable {
    case archiver = "$archiver"
    case version = "$version"
    case classes = "$classes"
    case top = "$top"
    case unreferenced = "$unreferenced"
    case shared = "$shared"
    case className = "$class"
    case id = "$id"
    case elements = "$elements"
    case entries = "$entries"
    case fields = "$fields"
    case raw = "$raw"
    case ref = "$ref"
    case object = "$object"
    case inline = "$inline"

    /// The names of the members of the root.
    static let ofRoot: [GraphName] = [.archiver, .version, .classes, .top, .unreferenced, .shared]
    /// The names of the members of an object that is a value.
    static let ofValues: [GraphName] = [.className, .id, .elements, .entries, .fields, .raw, .ref, .object, .inline]
}
