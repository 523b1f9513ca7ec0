/// Colours and fonts.
extension FoundationClass {
    static let graphics = [
        FoundationClass(
            "NSColor",
            fields: FieldRule.required("NSColorSpace", .integer)
                + FieldRule.all(.data, "NSRGB", "NSWhite", "NSCMYK", "NSComponents")
                + FieldRule.all(.string, "NSCatalogName", "NSColorName")
                + FieldRule.all(.reference, "NSColor", "NSCustomColorSpace"), .color),
        FoundationClass(
            "NSColorSpace",
            fields: FieldRule.all(.bytes, "NSICC") + FieldRule.all(.integer, "NSID", "NSSpaceID", "NSModel")),
        FoundationClass(
            "UIColor",
            fields: FieldRule.all(.integer, "UIColorComponentCount")
                + FieldRule.all(.real, "UIRed", "UIGreen", "UIBlue", "UIAlpha", "UIWhite")
                + FieldRule.all(
                    .real, "UIRed-Double", "UIGreen-Double", "UIBlue-Double", "UIAlpha-Double", "UIWhite-Double"),
            .uiColor),
        FoundationClass(
            "NSFont",
            fields: FieldRule.all(.string, "NSName") + FieldRule.all(.real, "NSSize")
                + FieldRule.all(.integer, "NSfFlags"), .font),
    ]
}
