/// Values that are objects of a class of their own.
extension FoundationClass {
    static let values = [
        FoundationClass(
            "NSURL", fields: FieldRule.required("NS.relative", .string) + FieldRule.all(.reference, "NS.base"), .url),
        FoundationClass("NSUUID", fields: FieldRule.all(.uuid, "NS.uuidbytes"), .uuid),
        FoundationClass("NSDecimalNumber", "NSNumber", "NSValue", fields: decimal, .decimal),
        FoundationClass(
            "NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", fields: decimal, .decimal),
        FoundationClass("NSIndexSet", fields: indexSet, .indexSet),
        FoundationClass("NSMutableIndexSet", "NSIndexSet", fields: indexSet, .indexSet),
        FoundationClass(
            "NSIndexPath",
            fields: FieldRule.required("NSIndexPathLength", .integer) + FieldRule.all(.integer, "NSIndexPathValue")
                + FieldRule.all(.bytes, "NSIndexPathData"), .indexPath),
        FoundationClass("NSValue", fields: value, .value),
        FoundationClass("NSAttributedString", fields: attributedString, .attributedString),
        FoundationClass(
            "NSMutableAttributedString", "NSAttributedString", fields: attributedString, .attributedString),
        FoundationClass(
            "NSError",
            fields: FieldRule.all(.string, "NSDomain") + FieldRule.all(.integer, "NSCode")
                + FieldRule.all(.reference, "NSUserInfo"), .error),
        FoundationClass("NSLocale", fields: FieldRule.all(.string, "NS.identifier"), .identifier("NS.identifier")),
        FoundationClass(
            "NSTimeZone", fields: FieldRule.all(.string, "NS.name") + FieldRule.all(.bytes, "NS.data"),
            .identifier("NS.name")),
        FoundationClass(
            "NSCalendar",
            fields: FieldRule.all(.string, "NS.identifier")
                + FieldRule.all(.reference, "NS.timezone", "NS.locale", "NS.gstartdate")
                + FieldRule.all(.integer, "NS.firstwkdy", "NS.mindays"), .identifier("NS.identifier")),
        FoundationClass("NSDateComponents", fields: dateComponents, .dateComponents),
        FoundationClass(
            "NSDateInterval",
            fields: FieldRule.all(.reference, "NS.startDate", "NS.endDate") + FieldRule.all(.real, "NS.duration"),
            .dateInterval),
        FoundationClass(
            "NSCalendarDate", "NSDate",
            fields: FieldRule.required("NS.time", .real) + FieldRule.all(.reference, "NS.format", "NS.timezone"),
            .calendarDate),
        FoundationClass(
            "NSRegularExpression", fields: FieldRule.all(.string, "NSPattern") + FieldRule.all(.integer, "NSOptions"),
            .identifier("NSPattern")),
        FoundationClass(
            "NSNotification",
            fields: FieldRule.all(.string, "NS.name") + FieldRule.all(.reference, "NS.object", "NS.userinfo"),
            .identifier("NS.name")),
        FoundationClass("NSURLQueryItem", fields: FieldRule.all(.string, "NS.name", "NS.value"), .queryItem),
        FoundationClass(
            "NSPersonNameComponents", fields: personName + FieldRule.all(.reference, "NS.nameComponentsPrivate"),
            .personName),
        FoundationClass("_NSPersonNameComponentsData", fields: personName, .personName),
    ]

    private static let decimal =
        FieldRule.all(.integer, "NS.exponent", "NS.length", "NS.mantissa.bo")
        + FieldRule.all(.boolean, "NS.negative", "NS.compact") + FieldRule.all(.data, "NS.mantissa")

    private static let indexSet =
        FieldRule.required("NSRangeCount", .integer) + FieldRule.all(.integer, "NSLocation", "NSLength")
        + FieldRule.all(.bytes, "NSRangeData")

    private static let value =
        FieldRule.all(.integer, "NS.special") + FieldRule.all(.string, "NS.pointval", "NS.sizeval", "NS.rectval")
        + FieldRule.all(.number, "NS.rangeval.location", "NS.rangeval.length")
        + FieldRule.all(.real, "NS.atval.a", "NS.atval.b", "NS.atval.c", "NS.atval.d", "NS.atval.tx", "NS.atval.ty")
        + FieldRule.all(.real, "NS.edgeval.top", "NS.edgeval.left", "NS.edgeval.bottom", "NS.edgeval.right")
        + FieldRule.all(.real, "NS.offset.h", "NS.offset.v")

    private static let attributedString =
        FieldRule.all(.string, "NSString") + FieldRule.all(.reference, "NSAttributes")
        + FieldRule.all(.bytes, "NSAttributeInfo")

    private static let dateComponents =
        FieldRule.all(
            .integer, "NS.era", "NS.year", "NS.quarter", "NS.month", "NS.day", "NS.hour", "NS.minute", "NS.second",
            "NS.nanosec", "NS.weekOfYear", "NS.weekOfMonth", "NS.yearForWOY", "NS.weekday", "NS.weekdayOrdinal")
        + FieldRule.all(.boolean, "NS.isLeapMonth") + FieldRule.all(.reference, "NS.calendar", "NS.timezone")

    private static let personName =
        FieldRule.all(
            .string, "NS.namePrefix", "NS.givenName", "NS.middleName", "NS.familyName", "NS.nameSuffix", "NS.nickname")
}
