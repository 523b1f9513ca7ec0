/// Hashes of the values of scalars, the same in every document and on every run.
///
///     42 in one byte, 42 in eight      one hash
///     "é" as one byte, "é" as UTF-16   one hash
///
/// Without a random seed, a file can be made to cause collisions, so equal hashes alone never prove equality.
package enum ScalarHash {
    /// Mixes another word into a hash. The order of the words matters.
    @inline(__always)
    package static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: word ^ 0xD6E8_FEB8_6659_FD93)
        return (product.high ^ product.low) &+ (hash &* 0xFF51_AFD7_ED55_8CCD).byteSwapped
    }
}

extension Document {
    /// Returns the hash of a scalar's kind and value, independent of its stored width, or of a container's kind alone.
    ///
    /// With a random seed, no file can be made to cause collisions.
    package func hash(ofScalar object: StoredObject, seed: UInt64 = 0) -> UInt64 {
        let seed = seed &+ UInt64(object.kind.rank)
        switch object.kind {
        case .null, .false, .true, .array, .set, .dictionary: return ScalarHash.mix(seed, 1)
        case .integer:
            let value = integer(object)
            return ScalarHash.mix(
                ScalarHash.mix(seed, UInt64(truncatingIfNeeded: value)), UInt64(truncatingIfNeeded: value >> 64))
        case .real: return ScalarHash.mix(seed &+ 16, real(object).bitPattern)
        case .date: return ScalarHash.mix(seed &+ 16, instant(object).bitPattern)
        case .uid: return ScalarHash.mix(seed, UInt64(uid(object)))
        case .data: return hash(ofBytes: object, seed)
        case .oneByteString, .utf16String: return hash(ofText: object, seed &- UInt64(object.kind.rank))
        }
    }

    private func hash(ofBytes object: StoredObject, _ seed: UInt64) -> UInt64 {
        var hash = ScalarHash.mix(seed, UInt64(object.count))
        var position = object.start
        let end = object.start + object.count
        while end - position >= 8 {
            hash = ScalarHash.mix(hash, image.bigEndian(at: position, width: 8))
            position += 8
        }
        return position < end ? ScalarHash.mix(hash, image.bigEndian(at: position, width: end - position)) : hash
    }

    /// Returns the hash of a string's code units, which is the same in both encodings. Eight units are mixed in at a
    /// time: their low bytes, then their high bytes unless all are zero.
    private func hash(ofText object: StoredObject, _ seed: UInt64) -> UInt64 {
        var hash = ScalarHash.mix(seed &+ 0xFF, UInt64(object.count))
        var position = 0
        while position < object.count {
            if object.kind == .oneByteString {
                let bytes = EightBytes(image.span, at: object.start &+ position).first(object.count &- position)
                hash = ScalarHash.mix(hash, bytes.word)
            } else {
                let (low, high) = eightUnits(position, of: object)
                hash = ScalarHash.mix(hash, low)
                if high != 0 { hash = ScalarHash.mix(hash, high) }
            }
            position &+= 8
        }
        return hash
    }

    /// Returns the low and the high bytes of up to eight code units of a UTF-16 string from `position` on.
    ///
    /// The first unit is in the low eight bits. Zeros follow the end of the string.
    @inline(__always)
    private func eightUnits(_ position: Int, of string: StoredObject) -> (low: UInt64, high: UInt64) {
        let (start, size) = (string.start &+ 2 &* position, 2 &* (string.count &- position))
        let first = EightBytes(image.span, at: start).first(size).word
        let second = size > 8 ? EightBytes(image.span, at: start &+ 8).first(size &- 8).word : 0
        return (
            Self.everySecondByte(first >> 8) | Self.everySecondByte(second >> 8) << 32,
            Self.everySecondByte(first) | Self.everySecondByte(second) << 32
        )
    }

    /// Packs the first, third, fifth and seventh byte, counted from the low end.
    private static func everySecondByte(_ word: UInt64) -> UInt64 {
        let bytes = word & 0x00FF_00FF_00FF_00FF
        let pairs = (bytes | bytes >> 8) & 0x0000_FFFF_0000_FFFF
        return (pairs | pairs >> 16) & 0xFFFF_FFFF
    }

    /// Returns the seconds since 2001, without a negative zero, which no reader distinguishes from zero.
    private func instant(_ date: StoredObject) -> Double {
        let seconds = real64(date)
        return seconds == 0 ? 0 : seconds
    }

    /// Whether two scalars, possibly of different documents, have the same kind and value.
    ///
    /// Numbers are compared regardless of their stored width, reals by the bits of their value (``real(_:)``), dates as
    /// instants, and text by code units. Containers are never equal.
    package func sameValue(_ a: StoredObject, as b: StoredObject, in other: Document) -> Bool {
        switch a.kind {
        case .real: b.kind == .real && real(a).bitPattern == other.real(b).bitPattern
        case .date: b.kind == .date && instant(a).bitPattern == other.instant(b).bitPattern
        default: sameScalar(a, as: b, in: other)
        }
    }

    /// Whether two scalars have the same kind and value. Reals also need the same width, and dates the same bits.
    ///
    /// Used before writing a value, whereas reports of differences use ``sameValue(_:as:in:)``.
    package func sameScalar(_ a: StoredObject, as b: StoredObject, in other: Document) -> Bool {
        switch a.kind {
        case .null, .false, .true: a.kind == b.kind
        case .integer: b.kind == .integer && integer(a) == other.integer(b)
        case .real:
            b.kind == .real && a.count == b.count && real(a).bitPattern == other.real(b).bitPattern
        case .date: b.kind == .date && real64(a).bitPattern == other.real64(b).bitPattern
        case .uid: b.kind == .uid && uid(a) == other.uid(b)
        case .data:
            b.kind == .data && a.count == b.count
                && image.span.holdsSame(a.count, at: a.start, and: b.start, in: other.image.span)
        case .oneByteString, .utf16String: b.kind.isString && sameText(a, as: b, in: other)
        case .array, .set, .dictionary: false
        }
    }
}

extension Node {
    /// Whether two scalars are equal bit for bit, as ``Document/sameScalar(_:as:in:)`` compares stored ones. The
    /// width of integers is ignored.
    package func isIdentical(to other: Node) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a.value == b.value
        case (.real32(let a), .real32(let b)): a.bitPattern == b.bitPattern
        case (.real64(let a), .real64(let b)), (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
        case (.data(let a), .data(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameUnits(as: b)
        case (.uid(let a), .uid(let b)): a.value == b.value
        default: false
        }
    }
}

extension StoredObject {
    /// An object that represents null.
    package static let null = StoredObject(kind: .null, start: 8, count: 0)

    /// This real as a date with the same bits.
    package var asDate: StoredObject { StoredObject(kind: .date, start: start, count: count) }
}
