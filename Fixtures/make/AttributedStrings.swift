// AttributedStrings FOLDER: writes attributed strings with Foundation on Linux, whose NSAttributedString stores its runs
// as Foundation on macOS does.
import Foundation

guard CommandLine.arguments.count == 2 else { fatalError("usage: AttributedStrings FOLDER") }

func attributes(_ color: String, size: Int? = nil) -> [NSAttributedString.Key: Any] {
    var attributes: [NSAttributedString.Key: Any] = [NSAttributedString.Key("Color"): color]
    if let size { attributes[NSAttributedString.Key("Size")] = size }
    return attributes
}

// The attributes of the first and the last run are equal, so they are stored once. "🐸" takes two code units.
let line = NSMutableAttributedString(string: "Welcome to the ", attributes: attributes("white"))
line.append(NSAttributedString(string: "Swamp 🐸", attributes: attributes("green", size: 24)))
line.append(NSAttributedString(string: ", stranger.", attributes: attributes("white")))

let dialogue: NSDictionary = [
    "line": line,
    "name": NSAttributedString(string: "Witch", attributes: attributes("purple")),
    "note": NSAttributedString(string: ""),
]

let data = try NSKeyedArchiver.archivedData(withRootObject: dialogue, requiringSecureCoding: false)
try data.write(to: URL(fileURLWithPath: CommandLine.arguments[1] + "/dialogue.save"))
