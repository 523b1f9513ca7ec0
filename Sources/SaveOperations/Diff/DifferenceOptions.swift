package import KeyedArchives
package import SaveCodec

/// The differences that a comparison ignores, and its rules for aligning arrays.
package struct DifferenceOptions: Sendable {
    /// The largest distance between two numbers that count as equal. Applies if at least one of them is a real.
    package struct Tolerance: Sendable, Hashable {
        /// The largest tolerated difference.
        package var absolute: Double
        /// The largest tolerated difference, as a fraction of the number of greater magnitude.
        package var relative: Double

        package init(absolute: Double = 0, relative: Double = 0) {
            self.absolute = absolute
            self.relative = relative
        }

        var isNone: Bool { !(absolute > 0 || relative > 0) }

        func covers(_ a: Double, _ b: Double) -> Bool {
            let distance = (a - b).magnitude
            return distance <= absolute || distance <= relative * max(a.magnitude, b.magnitude)
        }
    }

    /// A tolerance for the values that a pattern matches, and everything inside them.
    package struct LocalTolerance: Sendable, Hashable {
        /// The addresses of the values.
        package var pattern: PointerPattern
        package var tolerance: Tolerance

        /// Creates a tolerance for the values that a pattern matches.
        package init(_ pattern: PointerPattern, _ tolerance: Tolerance) {
            self.pattern = pattern
            self.tolerance = tolerance
        }
    }

    /// A field whose value identifies the elements of arrays.
    package struct Identity: Sendable, Hashable {
        /// The addresses of the arrays.
        package var pattern: PointerPattern
        package var key: String

        /// Creates an identity for the elements of the arrays that a pattern matches.
        package init(_ pattern: PointerPattern, key: String) {
            self.pattern = pattern
            self.key = key
        }
    }

    /// The values to ignore, with everything inside them.
    package var ignored: [PointerPattern] = []
    /// The only values to compare, with everything inside them; empty for all.
    package var only: [PointerPattern] = []
    /// The tolerance where no local one applies.
    package var tolerance = Tolerance()
    /// Tolerances at some addresses; the last match applies.
    package var tolerances: [LocalTolerance] = []
    /// Whether to compare numbers only by value, regardless of their type (integer or real), width (32 or 64 bits) and
    /// storage (in place or as objects).
    package var looseNumbers = false
    /// Whether equal 32-bit and 64-bit reals differ in storage. Operations that write a difference into a file set this
    /// if its format has both widths; people compare only the values.
    package var distinguishesWidths = false
    /// The arrays whose elements are identified by a field.
    package var identities: [Identity] = []
    /// The arrays to compare like sets, in any order.
    package var unordered: [PointerPattern] = []

    /// Whether to compare saves nested in data by their contents even if their format is read-only. Such a difference
    /// cannot be applied to the save.
    var comparesReadOnlySaves = true

    /// Whether a dictionary of an archive counts as replaced if it has a new key that is a container. A patch has no
    /// address for such a key.
    var replacesDictionariesWithNewKeys = false

    /// A test of the difference between two nested texts. Texts for which it fails are compared as strings. Nil accepts
    /// every difference.
    var acceptsTexts: (@Sendable (_ difference: Difference, _ before: NestedSave, _ after: NestedSave) -> Bool)?

    /// Whether to keep the compared slots of each pair, see ``Difference/aligned(_:)``.
    package var keepsAlignments = false

    /// The elements that an edit removed, by their earlier positions, and the elements that it inserted, by their later
    /// ones, for each earlier container. They are reported instead of equal neighbors.
    package var namedElements: [ViewID: Sides<Set<Int>>] = [:]

    /// Runs the work on both sides in parallel; nil to run it in sequence. The result is the same.
    package var runner: ParallelRunner?

    /// Creates options that ignore nothing.
    package init() {}

    /// Returns options that find every change that files in two formats can represent. They include widths if both
    /// formats store reals of 32 and 64 bits.
    package static func stored(as format: Format, _ other: Format) -> DifferenceOptions {
        var options = DifferenceOptions()
        options.distinguishesWidths = !format.widensReals && !other.widensReals
        return options
    }

    var hasPatterns: Bool {
        !(ignored.isEmpty && only.isEmpty && tolerances.isEmpty && identities.isEmpty && unordered.isEmpty)
    }

    /// Whether some different values count as equal or are not compared.
    var ignoresValues: Bool { hasPatterns || toleratesSome || looseNumbers }

    /// Whether some different reals count as equal.
    var toleratesSome: Bool { !tolerance.isNone || tolerances.contains { !$0.tolerance.isNone } }
}
