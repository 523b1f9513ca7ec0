/// A table for finding the object of a builder that is byte for byte equal to a new one.
///
/// It is an open-addressing table of hashes and object indices. The hash has a random seed, so no file can be made to
/// cause collisions. Nothing outside this type depends on the hash.
struct ScalarIndex {
    /// The hash in the high half and the object index plus one in the low half, or zero for a free slot.
    private var slots: [UInt64] = []
    private var count = 0
    private let seed = UInt64.random(in: 0...UInt64.max)

    /// Records the object `id`, whose bytes are the end of the image from `start` on, or returns an equal object
    /// recorded earlier.
    mutating func insert(_ id: UInt32, at start: Int, of image: ImageBuffer, offsets: [UInt32]) -> UInt32? {
        if count * 4 >= slots.count * 3 { grow() }
        let size = image.count - start
        let hash = hash(in: image.bytes.span, at: start, size: size)
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] >> 32 == hash {
                let candidate = UInt32(truncatingIfNeeded: slots[slot]) - 1
                // The first bytes of a scalar determine its length, so equal prefixes of that length are equal scalars.
                if image.bytes.span.holdsSame(size, at: Int(offsets[Int(candidate)]), and: start) { return candidate }
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = hash << 32 | UInt64(id + 1)
        count += 1
        return nil
    }

    @inline(__always)
    private func hash(in image: Span<UInt8>, at start: Int, size: Int) -> UInt64 {
        var state = seed ^ UInt64(size)
        var offset = 0
        while offset < size {
            state = Self.mix(state ^ EightBytes(image, at: start + offset).first(size - offset).word)
            offset += 8
        }
        return state >> 32
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low ^ 0xD6E8_FEB8_6659_FD93
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: max(1024, old.count * 2))
        let mask = slots.count - 1
        for entry in old where entry != 0 {
            var slot = Int(truncatingIfNeeded: entry >> 32) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = entry
        }
    }
}
