import KeyedArchives
import SaveCodec

@testable import SaveOperations

extension JSONPatch {
    /// Returns the document that results from all operations.
    func applied(to view: ObjectView, limits: Limits = Limits()) throws(Problem) -> Document {
        try (changed(view, limits: limits) ?? view).document
    }
}

extension MergePatch {
    /// Returns the document that results from the patch.
    func applied(to view: ObjectView, limits: Limits = Limits()) throws(Problem) -> Document {
        try (changed(view, limits: limits) ?? view).document
    }
}
