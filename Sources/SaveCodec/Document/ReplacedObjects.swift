extension Document {
    /// Returns the document with other elements in one array and other values in its UIDs.
    ///
    /// All other objects keep their offsets in the image, and the new ones follow them.
    ///
    /// - Parameters:
    ///   - array: The array to change.
    ///   - elements: The new elements, at most as many as before.
    ///   - number: A function from the old value of a UID to the new one.
    /// - Throws: A problem if the image would exceed 4 GiB.
    package func replacing(
        elementsOf array: ObjectID, by elements: [ObjectID], number: (UInt32) -> UInt32
    ) throws(Problem) -> Document {
        var added = ByteWriter()
        var offsets: [UInt32] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            let id = ObjectID(index)
            let uid = uid(id)
            let isReplaced = id == array || uid != nil
            offsets.append(UInt32(truncatingIfNeeded: isReplaced ? table.start + added.count : offset(of: id) ?? 0))
            if id == array {
                BinaryPlistWriter.writeMarker(ObjectMarker.array, count: elements.count, &added)
                for element in elements { added.writeBigEndian(UInt64(element.index), width: table.referenceSize) }
            } else if let uid {
                let uid = StoredUID(number(uid))
                added.write(ObjectMarker.uid | UInt8(uid.width - 1))
                added.writeBigEndian(UInt64(uid.value), width: uid.width)
            }
        }
        let start = table.start + added.count
        guard start <= Int(UInt32.max) else { throw .imageTooLarge() }
        var buffer = ImageBuffer([])
        // The buffer grows in steps, and up to two of them may remain unused.
        buffer.reserveCapacity(start + 4 * count + (2 << 16))
        buffer.append(self.image.span.extracting(0..<table.start))
        buffer.append(added.takeBytes().span)
        buffer.append(offsets, in: offsets.indices)
        let image = buffer.takeBytes()
        return Document(
            image: image,
            table: OffsetTable(start: start, count: count, offsetSize: 4, referenceSize: table.referenceSize),
            root: root,
            facts: Facts(
                sourceSize: max(sourceSize, image.count), isFile: false, expansionBound: facts.expansionBound))
    }
}

extension Problem.Kind {
    /// The file has too many values for its size.
    package static let tooManyValues = Problem.Kind("limit.values")
}

extension Problem {
    static func tooManyValues(_ allowed: Int) -> Problem {
        Problem(.tooManyValues, "the file has more than \(allowed) values, the limit for a file of this size")
    }

    static func imageTooLarge() -> Problem {
        Problem("limit.size", "the document takes more than 4 GiB, the maximum for text formats")
    }
}
