@testable import SaveCodec
import Testing

@testable import KeyedArchives

/// Addresses in the text of graph JSON are translated to addresses in the archive.
@Suite struct AddressTranslatorTests {
    @Test(arguments: [
        (#"{"$class": "Map", "level": {"$object": 1}}"#, "/$top/root/level/$object", "/root/level"),
        (#"{"$class": "Map", "$$x": 1}"#, "/$top/root/$$x", "/root/$x"),
        (#"{"$class": "NSSet", "$elements": [1, {"a": 2}]}"#, "/$top/root/$elements/1/a", "/root/1/a"),
        (#"{"$class": "NSDictionary", "$entries": {"$$a": 1}}"#, "/$top/root/$entries/$$a", "/root/$a"),
        (#"{"$class": "NSDictionary", "$entries": [["$$a", [1]]]}"#, "/$top/root/$entries/0/1/0", "/root/$$a/0"),
        (#"{"$class": "NSDictionary", "$entries": [[5, [1]]]}"#, "/$top/root/$entries/0/1/0", "/root/~=5/0"),
        (#"{"$class": "Map", "$fields": [["$$a", [1]]]}"#, "/$top/root/$fields/0/1/0", "/root/$a/0"),
        (#"{"$class": "NSMutableData", "NS.data": {"$inline": "x"}}"#, "/$top/root/NS.data/$inline", "/root"),
        (#"{"$raw": {"$$a": [1]}}"#, "/$top/root/$raw/$$a/0", "/root/$$a/0"),
        (#"{"$raw": {"$entries": [["a", 1]]}}"#, "/$top/root/$raw/$entries/0/1", "/root/$entries/0/1"),
        // An address that does not exist in the text is returned unchanged.
        (#"{"$class": "NSArray", "$elements": [1, [2]]}"#, "/$top/root/$elements/01/0", "/root/01/0"),
        (#"{"$class": "NSArray", "$elements": [1, [2]]}"#, "/$top/root/$elements/+1/0", "/root/+1/0"),
        (#"{"$class": "NSDictionary", "$entries": [["a", [1]]]}"#, "/$top/root/$entries/-0/1/0", "/root/-0/1/0"),
    ]) func addresses(_ root: String, _ address: String, _ shown: String) throws {
        let text = try JSON.read(Array(GraphText.text(top: #"{"root": \#(root)}"#).utf8))
        let address = try #require(JSONPointer(address))
        #expect(GraphJSON.shownAddress(address, in: text) == JSONPointer(shown))
    }
}
