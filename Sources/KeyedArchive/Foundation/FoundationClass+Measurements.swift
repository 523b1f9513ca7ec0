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
}
