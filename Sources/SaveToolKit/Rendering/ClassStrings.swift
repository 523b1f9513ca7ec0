import KeyedArchive
import SaveCodec
import SaveOperations

/// The names of classes as JSON strings, each made once.
struct ClassStrings {
    private var strings = LayerCache<Int, [UInt8]>()

    /// The name of a class, by position; `""` if there is none.
    mutating func string(_ position: Int?, in layer: Layer) -> [UInt8] {
        strings.shown(position ?? -1, of: layer) { view in
            var output = ByteWriter()
            let name = position.flatMap { view.archive?.classes[$0].name }
            ScalarText.writeString(name.map(Array.init) ?? [], to: &output)
            return output.takeBytes()
        }
    }
}
