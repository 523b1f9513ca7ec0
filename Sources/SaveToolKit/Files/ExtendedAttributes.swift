#if canImport(Glibc)
    import Glibc
    import LinuxAttributes
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system keeps of a file beside its content, owner and permissions: extended attributes and the access control
/// list. On Linux the list is an attribute, too.
///
///     user.comment                the user's own                    copied
///     system.posix_acl_access     the access control list           copied last, or the file is not replaced
///     security.selinux            labels                            copied where the system lets us
///     security.ima, …             they vouch for the old content    left out
enum ExtendedAttributes {
    /// An attribute that a file could not be given.
    struct Loss {
        /// What it is called; nil for all that a file has.
        let name: String?
        let error: SystemError

        /// The loss as the end of a sentence.
        var sentence: String {
            let what = name.map { "the extended attribute \(FileName.shown($0))" } ?? "extended attributes"
            return "cannot keep \(what): \(error.sentence)"
        }
    }

    #if canImport(Darwin)
        /// Gives an open file the attributes of the file at `path`, and returns those that it could not be given.
        ///
        /// - Parameter keepsAccessList: whether the access control list is to be kept, too.
        static func copy(
            ofFileAt path: String, to file: borrowing Descriptor, keepsAccessList: Bool
        ) throws(SystemError) -> [Loss] {
            do throws(SystemError) {
                let old = try Descriptor(opening: path, for: .reading)
                // Sound: both files are open, and no buffer is given.
                if !keepsAccessList, unsafe acl_get_fd_np(old.number, ACL_TYPE_EXTENDED) != nil {
                    throw .cannotKeepAccessList
                }
                let what = keepsAccessList ? COPYFILE_ACL | COPYFILE_XATTR : COPYFILE_XATTR
                guard unsafe fcopyfile(old.number, file.number, nil, copyfile_flags_t(what)) == 0 else { throw .last }
                return []
            } catch {
                if error == .cannotKeepAccessList { throw error }
                return [Loss(name: nil, error: error)]
            }
        }
    #else
        private static let accessList = "system.posix_acl_access"

        /// Whether an attribute belongs to the old content, or is one that the system takes away when a file is written.
        private static func isOfContent(_ name: String) -> Bool {
            let parts = name.split(separator: ".")
            return parts.count == 2 && parts[0] == "security" && ["ima", "evm", "capability"].contains(parts[1])
        }

        /// Gives an open file the attributes of the file at `path`, and returns those that it could not be given.
        ///
        /// - Parameter keepsAccessList: whether the access control list can be kept. If not, that is an error where there
        ///   is one: without it others could do more with the file.
        static func copy(
            ofFileAt path: String, to file: borrowing Descriptor, keepsAccessList: Bool
        ) throws(SystemError) -> [Loss] {
            let names = try names(ofFileAt: path)
            var losses: [Loss] = []
            for name in names where name != accessList && !isOfContent(name) {
                do throws(SystemError) {
                    try copy(name, ofFileAt: path, to: file)
                } catch {
                    losses.append(Loss(name: name, error: error))
                }
            }
            // Last, as it may take the right to write attributes away.
            if names.contains(accessList) {
                guard keepsAccessList, (try? copy(accessList, ofFileAt: path, to: file)) != nil else {
                    throw .cannotKeepAccessList
                }
            } else {
                try removeAccessList(of: file)
            }
            return losses
        }

        private static func copy(
            _ name: String, ofFileAt path: String, to file: borrowing Descriptor
        ) throws(SystemError) {
            let cName = FileName.cString(name)
            let cPath = FileName.cString(path)
            // Sound: the names end in zero and outlive the calls, and each call is told the size of its buffer.
            let read = { buffer, size in unsafe getxattr(cPath, cName, buffer, size) }
            guard let value = unsafe try bytes(read) else { return }
            // Some may not be set, but are already what they should be.
            let number = file.number
            let present = { buffer, size in unsafe fgetxattr(number, cName, buffer, size) }
            if unsafe (try? bytes(present)) == value { return }
            guard unsafe fsetxattr(number, cName, value, value.count, 0) == 0 else { throw .last }
        }

        /// Takes the list away that a folder gives to new files.
        private static func removeAccessList(of file: borrowing Descriptor) throws(SystemError) {
            // Sound: the name is a literal, which ends in zero.
            guard unsafe fremovexattr(file.number, accessList) != 0 else { return }
            let error = SystemError.last
            if error.code != ENODATA, !error.saysNoAttributes { throw error }
        }

        private static func names(ofFileAt path: String) throws(SystemError) -> [String] {
            let cPath = FileName.cString(path)
            // Sound: the path ends in zero and outlives the call, which is told the size of its buffer; bytes and C's
            // characters are laid out the same.
            let list = unsafe try bytes { buffer, size in
                unsafe listxattr(cPath, buffer?.assumingMemoryBound(to: CChar.self), size)
            }
            return (list ?? []).split(separator: 0).map { FileName.text($0) }
        }

        /// What a call gives that tells the size it needs where it gets no room; nil where there is nothing.
        private static func bytes(
            _ call: (UnsafeMutableRawPointer?, Int) -> Int
        ) throws(SystemError) -> [UInt8]? {
            while true {
                let size = call(nil, 0)
                var bytes = [UInt8](repeating: 0, count: max(size, 0))
                // Sound: the call is told the size of the array, and writes no more.
                let count =
                    size <= 0 ? size : unsafe bytes.withUnsafeMutableBytes { unsafe call($0.baseAddress, $0.count) }
                if count >= 0 { return Array(bytes.prefix(count)) }
                let error = SystemError.last
                if error.code == ENODATA || error.saysNoAttributes { return nil }
                // It has grown meanwhile.
                if error.code != ERANGE { throw error }
            }
        }
    #endif
}

extension Descriptor {
    /// Gives the file the attributes of the one at `path`, see ``ExtendedAttributes``.
    func take(
        attributesOfFileAt path: String, keepsAccessList: Bool
    ) throws(SystemError) -> [ExtendedAttributes.Loss] {
        try ExtendedAttributes.copy(ofFileAt: path, to: self, keepsAccessList: keepsAccessList)
    }
}
