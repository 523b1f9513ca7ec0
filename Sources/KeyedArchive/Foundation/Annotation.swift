/// What an object stands for, as text beside its class; never a change of the data (see ``ObjectView/annotation(of:)``).
enum Annotation: Sendable, Equatable {
    /// The text of a field.
    case identifier(String)
    /// The text of a field, in quotation marks.
    case quoted(String)
    case attributedString, calendarDate, color, countedSet, dateComponents, dateInterval, decimal, error, font
    case indexPath, indexSet, measurement, node, personName, queryItem, uiColor, url, uuid, value
}
