/// Collections, and objects that represent a single value.
extension FoundationClass {
    static let collections = [
        FoundationClass("NSArray", layout: .elements(.array)),
        FoundationClass("NSMutableArray", "NSArray", layout: .elements(.array)),
        FoundationClass("NSSet", layout: .elements(.set)),
        FoundationClass("NSMutableSet", "NSSet", layout: .elements(.set)),
        FoundationClass("NSOrderedSet", layout: .numbered),
        FoundationClass("NSMutableOrderedSet", "NSOrderedSet", layout: .numbered),
        FoundationClass("NSDictionary", layout: .pairs),
        FoundationClass("NSMutableDictionary", "NSDictionary", layout: .pairs),
        FoundationClass(
            "NSCountedSet", "NSMutableSet", "NSSet", fields: FieldRule.required("NS.count", .integer), .countedSet),
        // The unnamed fields are the options, the objects, and a final nil.
        FoundationClass("NSHashTable", fields: FieldRule.all(.integer, "$0")),
        FoundationClass("NSString", layout: .string),
        FoundationClass("NSMutableString", "NSString", layout: .string),
        FoundationClass("NSData", layout: .data),
        FoundationClass("NSMutableData", "NSData", layout: .data),
        FoundationClass("NSDate", layout: .date),
        FoundationClass("NSNull", layout: .null),
        FoundationClass("NSNumber", "NSValue", layout: .number),
    ]
}

/// Values with a class of their own. `--allow-class Foundation` includes them, see ``KeyedArchive/foundationNames``.
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

/// Measurements, their units and the converters between them.
extension FoundationClass {
    static let measurements =
        [
            FoundationClass(
                "NSMeasurement", fields: FieldRule.all(.real, "NS.value") + FieldRule.all(.reference, "NS.unit"),
                .measurement),
            FoundationClass("NSUnit", fields: unit, .identifier("NS.symbol")),
            FoundationClass("NSDimension", "NSUnit", fields: unit, .identifier("NS.symbol")),
            FoundationClass(
                "NSUnitConverterLinear", "NSUnitConverter",
                fields: FieldRule.all(.real, "NS.coefficient", "NS.constant")),
            FoundationClass(
                "NSUnitConverterReciprocal", "NSUnitConverter", fields: FieldRule.all(.real, "NS.reciprocal")),
        ]
        + dimensions.map {
            FoundationClass("NSUnit" + $0, "NSDimension", "NSUnit", fields: unit, .identifier("NS.symbol"))
        }

    private static let unit =
        FieldRule.all(.string, "NS.symbol") + FieldRule.all(.integer, "NS.specifier")
        + FieldRule.all(.reference, "NS.converter")

    private static let dimensions = [
        "Acceleration", "Angle", "Area", "ConcentrationMass", "Dispersion", "Duration", "ElectricCharge",
        "ElectricCurrent", "ElectricPotentialDifference", "ElectricResistance", "Energy", "Frequency", "FuelEfficiency",
        "Illuminance", "InformationStorage", "Length", "Mass", "Power", "Pressure", "Speed", "Temperature", "Volume",
    ]

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

/// SpriteKit nodes, textures and physics.
///
/// The classes have their ancestors on macOS, as in all scenes that Xcode saves.
extension FoundationClass {
    static let sprites =
        [
            FoundationClass("SKNode", "NSResponder", fields: node, .node),
            FoundationClass(
                "SKScene", "SKEffectNode", "SKNode", "NSResponder",
                fields: node + FieldRule.all(.reference, "Scene_bounds", "_visibleRect", "_physicsWorld", "_camera")
                    + FieldRule.all(.number, "_scaleMode"), .node),
            FoundationClass("SKSpriteNode", "SKNode", "NSResponder", fields: sprite, .node),
            FoundationClass(
                "SKTileMapNode", "SKNode", "NSResponder",
                fields: node + FieldRule.all(.data, "_rawTiles")
                    + FieldRule.all(.integer, "_currentRows", "_currentColumns"), .node),
            FoundationClass(
                "SKEmitterNode", "SKNode", "NSResponder",
                fields: node + FieldRule.all(.real, "_birthrate", "_lifetime", "_lifetimeVariance"), .node),
            FoundationClass(
                "SKLabelNode", "SKNode", "NSResponder",
                fields: node + FieldRule.all(.string, "_text", "_fontName") + FieldRule.all(.real, "_fontSize"), .node),
            FoundationClass(
                "SKTexture",
                fields: FieldRule.all(.string, "_imgName")
                    + FieldRule.all(.boolean, "_disableAlpha", "_isData", "_isFlipped", "_isPath", "_isRotated")
                    + FieldRule.all(.integer, "_filteringMode"), .quoted("_imgName")),
            FoundationClass("PKPhysicsBody", fields: physicsBody),
            FoundationClass(
                "PKPhysicsWorld",
                fields: FieldRule.all(.reference, "_bodies", "_joints", "gravity")
                    + FieldRule.all(.real, "speedMultiplier")),
        ]
        + otherNodes.map { FoundationClass($0, "SKNode", "NSResponder", fields: node, .node) }

    private static let node =
        FieldRule.all(
            .reference, "_position", "_children", "_userData", "_actions", "_constraints", "_keyedActions",
            "_keyedSubSprites", "_attributeValues", "_info", "_reachConstraints", "_PKPhysicsBody", "_hidden",
            "_paused")
        + FieldRule.all(.string, "_name", "_originalClass")
        + FieldRule.all(
            .number, "_xScale", "_yScale", "_zPosition", "_zRotation", "_xRotation", "_yRotation", "_opacity",
            "_version")

    private static let sprite =
        node
        + FieldRule.all(.reference, "_texture", "_normalTexture", "_anchorPoint", "_bounds", "_centerRect")
        + FieldRule.all(.number, "_blendMode", "_colorMix", "_baseColorR", "_baseColorG", "_baseColorB", "_baseColorA")
        + FieldRule.all(
            .integer, "_lightingBitMask", "_shadowCastBitMask", "_shadowedBitMask", "_subdivisionLevels")

    private static let physicsBody =
        FieldRule.all(
            .boolean, "affectedByGravity", "allowRotation", "dynamic", "needsContinuousCollsionDetection", "pinned")
        + FieldRule.all(
            .real, "_edgeRadius", "_radius", "angularDamping", "angularVelocity", "charge", "density", "friction",
            "linearDamping", "restitution")
        + FieldRule.all(
            .integer, "_shapeType", "categoryBitMask", "collisionBitMask", "fieldBitMask", "intersectionTestBitMask")
        + FieldRule.all(.string, "_size", "_p0", "linearVelocity")

    private static let otherNodes = [
        "SKCameraNode", "SKCropNode", "SKEffectNode", "SKFieldNode", "SKLightNode", "SKReferenceNode", "SKShapeNode",
        "SKVideoNode",
    ]
}
