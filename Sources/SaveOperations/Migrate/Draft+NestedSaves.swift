import KeyedArchives
import SaveCodec

extension Draft {
    /// Changes the saves that are stored as data, each once however often it is referred to. Data that begins like a save
    /// and is none stays as it is.
    ///
    /// - Parameter change: edits a save; nil if it stays.
    mutating func changeSaves(
        _ limits: Limits, _ change: (ObjectView) throws(Problem) -> ObjectView?
    ) throws(Problem) {
        var values: [ViewID: ID] = [:]
        for id in view.dataOfSaves {
            do throws(Problem) {
                guard let save = try openedSave(in: id), let edited = try change(save.view) else { continue }
                values[id] = add(save, holding: try save.bytes(of: edited, limits: limits))
            } catch {
                var problem = error
                let address = view.graph.paths(to: [id], longest: 200)[id].flatMap(ViewAddresses(view).address)
                problem.address = address?.appending(error.address ?? .root)
                throw problem
            }
        }
        guard !values.isEmpty else { return }
        if let value = values[view.root] { replaceRoot(with: value) }
        let graph = view.graph
        for container in graph.containers {
            for position in 0..<container.count {
                guard let value = values[graph.value(position, of: container)] else { continue }
                replace(at: position, of: id(of: container.id), with: value)
            }
        }
    }

    /// The save in data; nil for what is none.
    ///
    /// - Throws: a problem if all of them would take too much.
    private func openedSave(in id: ViewID) throws(Problem) -> NestedSave? {
        do throws(Problem) {
            return try view.nestedSave(in: id)
        } catch {
            if error.id == Problem.nestedTooLarge().id { throw error }
            return nil
        }
    }
}
