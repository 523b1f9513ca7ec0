import KeyedArchive
import SaveCodec
import SaveOperations

/// The names of classes as JSON strings, each made once. Kept for one view at a time.
struct ClassStrings {
    private var layer: Layer?
    private var kept: [[UInt8]?] = []

    /// The name of a class, by position; `""` if there is none.
    mutating func string(_ position: Int?, in layer: Layer) -> [UInt8] {
        guard let position, let classes = layer.view.archive?.classes else { return Array("\"\"".utf8) }
        if self.layer !== layer {
            self.layer = layer
            kept = Array(repeating: nil, count: classes.count)
        }
        if let string = kept[position] { return string }
        var output = ByteWriter()
        ScalarText.writeString(Array(classes[position].name), to: &output)
        let string = output.takeBytes()
        kept[position] = string
        return string
    }
}
