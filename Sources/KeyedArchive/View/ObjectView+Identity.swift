extension ObjectView {
    /// The identity of an object of the archive.
    package func id(of uid: UID) -> ViewID {
        ViewID(uid, in: document)
    }
}
