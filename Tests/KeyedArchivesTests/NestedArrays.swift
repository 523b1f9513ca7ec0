import KeyedArchives
import SaveCodec

/// Returns an archive of `levels` arrays. Each contains the next one `times` times.
func nestedArrays(levels: Int, times: Int) throws -> Document {
    var archive = KeyedArchiveBuilder()
    let record = archive.addClass("NSArray", chain: ["NSArray", "NSObject"])
    let arrays = (0..<levels).map { _ in archive.reserve() }
    for (index, array) in arrays.enumerated() {
        archive.begin(array, of: record)
        archive.contents.add(string: "NS.objects")
        archive.contents.open(.array)
        for _ in 0..<(index + 1 < levels ? times : 0) { archive.refer(to: arrays[index + 1]) }
        archive.contents.close()
        archive.end()
    }
    archive.beginTop()
    archive.contents.add(string: "root")
    archive.refer(to: arrays[0])
    archive.end()
    return try archive.finish()
}
