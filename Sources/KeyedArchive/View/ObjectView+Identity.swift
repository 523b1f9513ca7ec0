extension ObjectView {
    /// The identity of an object of the archive.
    package func id(of uid: UID) -> ViewID {
        ViewID(uid, in: document)
    }
}

extension KeyedArchive {
    /// The identity of the string that the name of a class is, by position in ``classes``; nil where there is none.
    package func storedName(ofClass position: Int) -> ViewID? {
        document.value(for: "$classname", of: stored(classes[position].uid)).map { ViewID(stored: $0) }
    }
}
