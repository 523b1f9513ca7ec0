/// The fields of a submission, by the names and in the order in which the game of the tutorial sends them.
enum SubmissionField: String, CaseIterable {
    case token = "high_score[auth_token]"
    case name = "high_score[player_name]"
    case score = "high_score[total_score]"
    case device = "high_score[iphone_udid]"
}
