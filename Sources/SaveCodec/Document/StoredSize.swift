extension Document {
    /// How many bytes an object takes in a binary property list: its marker, its count if that is stored separately, and
    /// its contents, of a container the references. 0 for an unreachable object that is damaged.
    ///
    /// Of a document that was read from a text, the references count as wide as a binary file would have them.
    package func storedSize(of id: ObjectID) -> Int {
        guard let offset = offset(of: id), let object = checkedObject(id) else { return 0 }
        guard object.kind.isContainer, !isFile else { return end(of: object) - offset }
        let width = count <= 0xFF ? 1 : count <= 0xFFFF ? 2 : 4
        return object.start - offset + object.referenceCount * width
    }
}
