extension Document {
    /// The document with other elements of one of its arrays, no more than before, and with other numbers in its UIDs. All
    /// other objects stay where they are in the image; what is new follows them.
    ///
    /// - Throws: a problem if the image would exceed 4 GiB.
    package func replacing(
        elementsOf array: ObjectID, by elements: [ObjectID], number: (UInt32) -> UInt32
    ) throws(Problem) -> Document {
        var added = ByteWriter()
        var offsets: [UInt32] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            let id = ObjectID(index)
            let object = object(id)
            let isReplaced = id == array || object.kind == .uid
            offsets.append(UInt32(truncatingIfNeeded: isReplaced ? table.start + added.count : offset(of: id) ?? 0))
            if id == array {
                BinaryPlistWriter.writeMarker(ObjectMarker.array, count: elements.count, &added)
                for element in elements { added.writeBigEndian(UInt64(element.index), width: table.referenceSize) }
            } else if isReplaced {
                let uid = StoredUID(number(uid(object)))
                added.write(ObjectMarker.uid | UInt8(uid.width - 1))
                added.writeBigEndian(UInt64(uid.value), width: uid.width)
            }
        }
        let start = table.start + added.count
        guard start <= Int(UInt32.max) else { throw .imageTooLarge() }
        var image: [UInt8] = []
        image.reserveCapacity(start + 4 * count)
        image += self.image[..<table.start]
        image += added.takeBytes()
        for offset in offsets {
            for shift in [24, 16, 8, 0] { image.append(UInt8(truncatingIfNeeded: offset >> UInt32(shift))) }
        }
        return Document(
            image: image,
            table: OffsetTable(start: start, count: count, offsetSize: 4, referenceSize: table.referenceSize),
            root: root,
            facts: Facts(
                sourceSize: max(sourceSize, image.count), isFile: false, expansionBound: facts.expansionBound))
    }
}

extension Problem {
    static func imageTooLarge() -> Problem {
        Problem("limit.size", "the document takes more than 4 GiB; text formats are read up to that size")
    }
}
