package import SaveCodec

/// What a comparison forgives, and how it aligns arrays.
package struct DifferenceOptions: Sendable {
    /// How far two numbers may be apart to be taken as equal. Real numbers only, and those compared with them.
    package struct Tolerance: Sendable, Hashable {
        /// The largest difference.
        package var absolute: Double
        /// The largest difference as a part of the greater of the two.
        package var relative: Double

        /// Creates a tolerance; what is not named is none.
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

    /// A tolerance for what a pattern matches, and everything below.
    package struct LocalTolerance: Sendable, Hashable {
        /// Where it holds.
        package var pattern: PointerPattern
        /// The tolerance.
        package var tolerance: Tolerance

        /// Creates a tolerance for what a pattern matches.
        package init(_ pattern: PointerPattern, _ tolerance: Tolerance) {
            self.pattern = pattern
            self.tolerance = tolerance
        }
    }

    /// A field by whose value the elements of arrays are told apart.
    package struct Identity: Sendable, Hashable {
        /// Which arrays.
        package var pattern: PointerPattern
        /// The name of the field.
        package var key: String

        /// Creates an identity for the elements of the arrays that a pattern matches.
        package init(_ pattern: PointerPattern, key: String) {
            self.pattern = pattern
            self.key = key
        }
    }

    /// What is not compared, with everything below.
    package var ignored: [PointerPattern] = []
    /// What alone is compared, with everything below; empty for everything.
    package var only: [PointerPattern] = []
    /// How far numbers may be apart.
    package var tolerance = Tolerance()
    /// How far numbers may be apart in some places; the last that matches counts.
    package var tolerances: [LocalTolerance] = []
    /// Whether numbers are compared by value alone: whole or real, of four bytes or eight, in place or objects.
    package var looseNumbers = false
    /// Whether equal 32-bit and 64-bit reals differ in storage. Operations that write a difference into a file set this
    /// if its format has both widths; people compare only the values.
    package var countsWidths = false
    /// The arrays whose elements are told apart by a field.
    package var identities: [Identity] = []
    /// The arrays that are compared as if they were sets.
    package var unordered: [PointerPattern] = []

    /// Whether saves in data are compared by what they hold, though they are in a format that is read only: what is told
    /// of them cannot be changed in them.
    package var opensReadOnly = true

    /// Whether it is kept which slots of two containers are compared with each other, see ``Difference/aligned(_:)``.
    package var keepsAlignments = false

    /// Runs what is done to each side at the same time; nil to do one after the other. The result is the same.
    package var runner: ParallelRunner?

    /// Options that forgive nothing.
    package init() {}

    /// Options that find every change that files in two formats can show, widths included if both formats have both.
    package static func stored(as format: Format, _ other: Format) -> DifferenceOptions {
        var options = DifferenceOptions()
        options.countsWidths = !format.widensReals && !other.widensReals
        return options
    }

    var hasPatterns: Bool {
        !(ignored.isEmpty && only.isEmpty && tolerances.isEmpty && identities.isEmpty && unordered.isEmpty)
    }

    /// Whether reals may be equal that differ.
    var toleratesSome: Bool { !tolerance.isNone || tolerances.contains { !$0.tolerance.isNone } }
}
