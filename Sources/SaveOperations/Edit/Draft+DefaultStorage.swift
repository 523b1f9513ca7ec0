import KeyedArchives
import SaveCodec

/// The default storage of values in patches, which the reader and the writer of patches share.
extension Draft {
    /// Returns the container whose members are the templates for the members of a container in a patch: the replaced
    /// container of the archive, if it has the same kind and, for objects, the same class name. Otherwise returns nil.
    mutating func patchReplaced(by kind: ContainerKind, className: [UInt16]?, like template: StorageTemplate?) -> ID? {
        guard let template, !template.isInPlace, let number = open(template.value), containers[number].kind == kind,
            !containers[number].isRaw, kind != .object || classOf(template.value)?.name == className
        else { return nil }
        return template.value
    }

    /// Returns the template for a member of a replaced container: the value with the same key or position. Returns nil
    /// for a missing value, and for null, which has no type.
    mutating func patchTemplate(at position: Int?, of replaced: ID) -> StorageTemplate? {
        guard let position, let item = item(position, of: replaced), !isNull(item.value) else { return nil }
        guard case .object = value(replaced).variant else {
            // Collections contain references.
            return StorageTemplate(item.value, isInPlace: false, isPresent: false)
        }
        return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
    }

    /// Returns the default storage of a scalar; nil for the default of its kind. Also returns whether the default
    /// changes the scalar itself: to a 32-bit real, or to an object of the template's class.
    ///
    /// - Parameter className: The class of the scalar.
    mutating func patchStorage(
        of node: Node, _ className: ArchiveClass?, like template: StorageTemplate?
    ) -> (isInPlace: Bool?, isOther: Bool) {
        guard let template, let present = scalar(template.value) else { return (nil, false) }
        let isAlike = ScalarGroup(present) == ScalarGroup(node)
        var isOther = false
        if case .real64 = node, case .real32(_, isRounded: false)? = GivenScalarConversion(node, nil, for: present) {
            isOther = true
        }
        if isAlike, let presentClass = classOf(template.value), presentClass != className { isOther = true }
        if isAlike, className != nil, isRawDate(template.value) { isOther = true }
        return (isAlike ? template.isInPlace : nil, isOther)
    }
}
