import KeyedArchives
import SaveCodec

/// How the values of patches are stored of which nothing is said. Those who read patches and those who write them ask the
/// same.
extension Draft {
    /// The container of an archive after whose contents those of a container in a patch are stored, member by member: the
    /// one that it replaces, if that is of the same kind, and of objects if the class has the same name.
    mutating func patchReplaced(by kind: ContainerKind, className: [UInt16]?, like example: StorageTemplate?) -> ID? {
        guard let example, !example.isInPlace, let number = open(example.value), containers[number].kind == kind,
            !containers[number].isRaw, kind != .object || classOf(example.value)?.name == className
        else { return nil }
        return example.value
    }

    /// What a member of such a container is stored after: what stands at its place, the same key or the same position.
    /// Nil where nothing stands or null, which has no type.
    mutating func patchExample(at position: Int?, of replaced: ID) -> StorageTemplate? {
        guard let position, let item = item(position, of: replaced), !isNull(item.value) else { return nil }
        guard case .object = value(replaced).form else {
            // What a collection holds is referred to.
            return StorageTemplate(item.value, isInPlace: false, isPresent: false)
        }
        return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
    }

    /// Where a scalar stands, nil for as it comes, and whether it becomes another one: a real of four bytes, or an object
    /// of the class that the example has.
    ///
    /// - Parameter className: the class of the scalar.
    mutating func patchStorage(
        of node: Node, _ className: ArchiveClass?, like example: StorageTemplate?
    ) -> (isInPlace: Bool?, isOther: Bool) {
        guard let example, let present = scalar(example.value) else { return (nil, false) }
        let isAlike = ScalarGroup(present) == ScalarGroup(node)
        var isOther = false
        if case .real64 = node, case .real32(_, isRounded: false)? = Setting(node, nil, for: present) { isOther = true }
        if isAlike, let presentClass = classOf(example.value), presentClass != className { isOther = true }
        if isAlike, className != nil, isRawDate(example.value) { isOther = true }
        return (isAlike ? example.isInPlace : nil, isOther)
    }
}
