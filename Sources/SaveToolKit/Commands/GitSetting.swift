/// A setting of a driver of git, as `git config` takes it and as it stands in a file of settings.
struct GitSetting {
    /// `diff` or `merge`.
    let section: String
    var driver = "savetool"
    let name: String
    let value: String

    var key: String { "\(section).\(driver).\(name)" }

    /// The line above the settings of the driver.
    var heading: String { "[\(section) \"\(driver)\"]\n" }

    /// The line of a file of settings (git-config(1), Syntax): a comment begins at `#` and `;` outside of quotation marks.
    var line: String {
        let escaped = value.replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"")
        let isPlain = value.unicodeScalars.allSatisfy { $0 != "#" && $0 != ";" }
        return "\t\(name) = " + (isPlain ? escaped : "\"\(escaped)\"") + "\n"
    }
}
