import KeyedArchives
import SaveCodec

/// Returns an archive of `levels` arrays. Each contains the next one `times` times.
func nestedArrays(levels: Int, times: Int) throws -> Document {
    var archive = KeyedArchiveBuilder()
    let record = archive.addClass("NSArray", chain: ["NSArray", "NSObject"])
    let arrays = (0..<levels).map { _ in archive.reserve() }
    for (index, array) in arrays.enumerated() {
        archive.begin(array, of: record)
        archive.addCollection(index + 1 < levels ? Array(repeating: arrays[index + 1], count: times) : [])
        archive.end()
    }
    archive.addTop(root: arrays[0])
    return try archive.finish()
}
