#if canImport(Glibc)
    import Glibc
    import LinuxAttributes
#elseif canImport(Darwin)
    import Darwin
#endif

/// The metadata of a file besides its content, owner and permissions: extended attributes and the access control list.
/// On Linux the list is an attribute, too.
///
///     user.comment                the user's own                    copied
///     system.posix_acl_access     the access control list           copied last, or the file is not replaced
///     security.selinux            labels                            copied if the system permits it
///     security.ima, …             they certify the old content      left out
enum ExtendedAttributes {
    /// An attribute that could not be copied to a file.
    struct CopyFailure {
        /// The name, or nil for all attributes of a file.
        let name: String?
        let error: SystemError

        /// The description, for the end of a message.
        var sentence: String {
            let what = name.map { "the extended attribute \(FileName.shown($0))" } ?? "extended attributes"
            return "cannot keep \(what): \(error.sentence)"
        }
    }

    #if canImport(Darwin)
        /// Gives an open file the attributes of the file at `path`. Returns the attributes that could not be copied.
        ///
        /// - Parameter keepsAccessList: Whether the access control list is kept, too. If not, a file that has a list
        ///   causes an error.
        static func copy(
            ofFileAt path: String, to file: borrowing Descriptor, keepsAccessList: Bool
        ) throws(SystemError) -> [CopyFailure] {
            do throws(SystemError) {
                let old = try Descriptor(opening: path, for: .reading)
                // Sound: both files are open, and no buffer is passed.
                if !keepsAccessList, unsafe acl_get_fd_np(old.number, ACL_TYPE_EXTENDED) != nil {
                    throw .cannotKeepAccessList
                }
                let what = keepsAccessList ? COPYFILE_ACL | COPYFILE_XATTR : COPYFILE_XATTR
                guard unsafe fcopyfile(old.number, file.number, nil, copyfile_flags_t(what)) == 0 else { throw .last }
                return []
            } catch {
                if error == .cannotKeepAccessList { throw error }
                return [CopyFailure(name: nil, error: error)]
            }
        }
    #else
        private static let accessList = "system.posix_acl_access"

        /// Whether an attribute belongs to the old content, or is removed by the system when a file is written.
        private static func isOfContent(_ name: String) -> Bool {
            let parts = name.split(separator: ".")
            return parts.count == 2 && parts[0] == "security" && ["ima", "evm", "capability"].contains(parts[1])
        }

        /// Gives an open file the attributes of the file at `path`. Returns the attributes that could not be copied.
        ///
        /// - Parameter keepsAccessList: Whether the access control list can be kept. If not, a file that has a list
        ///   causes an error: without it other users could gain access.
        static func copy(
            ofFileAt path: String, to file: borrowing Descriptor, keepsAccessList: Bool
        ) throws(SystemError) -> [CopyFailure] {
            let names = try names(ofFileAt: path)
            var losses: [CopyFailure] = []
            for name in names where name != accessList && !isOfContent(name) {
                do throws(SystemError) {
                    try copy(name, ofFileAt: path, to: file)
                } catch {
                    losses.append(CopyFailure(name: name, error: error))
                }
            }
            // The list is copied last, as it may revoke the right to write attributes.
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
            // Sound: the names end in zero and outlive the calls, and each call gets the size of its buffer.
            let read = { buffer, size in unsafe getxattr(cPath, cName, buffer, size) }
            guard let value = unsafe try bytes(read) else { return }
            // Some attributes cannot be set, but already have the right value.
            let number = file.number
            let present = { buffer, size in unsafe fgetxattr(number, cName, buffer, size) }
            if unsafe (try? bytes(present)) == value { return }
            guard unsafe fsetxattr(number, cName, value, value.count, 0) == 0 else { throw .last }
        }

        /// Removes the access control list that a new file inherits from its folder.
        private static func removeAccessList(of file: borrowing Descriptor) throws(SystemError) {
            // Sound: the name is a literal, which ends in zero.
            guard unsafe fremovexattr(file.number, accessList) != 0 else { return }
            let error = SystemError.last
            if error.code != ENODATA, !error.saysNoAttributes { throw error }
        }

        private static func names(ofFileAt path: String) throws(SystemError) -> [String] {
            let cPath = FileName.cString(path)
            // Sound: the path ends in zero and outlives the call, which gets the size of its buffer; bytes and C's
            // characters have the same layout.
            let list = unsafe try bytes { buffer, size in
                unsafe listxattr(cPath, buffer?.assumingMemoryBound(to: CChar.self), size)
            }
            return (list ?? []).split(separator: 0).map { FileName.text($0) }
        }

        /// Returns the bytes that a system call writes into a buffer, or nil if the attribute is missing. With an empty
        /// buffer, the call returns their count.
        private static func bytes(
            _ call: (UnsafeMutableRawPointer?, Int) -> Int
        ) throws(SystemError) -> [UInt8]? {
            while true {
                let size = call(nil, 0)
                var bytes = [UInt8](repeating: 0, count: max(size, 0))
                // Sound: the call gets the size of the array, and writes no more.
                let count =
                    size <= 0 ? size : unsafe bytes.withUnsafeMutableBytes { unsafe call($0.baseAddress, $0.count) }
                if count >= 0 { return Array(bytes.prefix(count)) }
                let error = SystemError.last
                if error.code == ENODATA || error.saysNoAttributes { return nil }
                // ERANGE: the value has grown meanwhile.
                if error.code != ERANGE { throw error }
            }
        }
    #endif
}

extension Descriptor {
    /// Gives the file the attributes of the file at `path`, see ``ExtendedAttributes``.
    func take(
        attributesOfFileAt path: String, keepsAccessList: Bool
    ) throws(SystemError) -> [ExtendedAttributes.CopyFailure] {
        try ExtendedAttributes.copy(ofFileAt: path, to: self, keepsAccessList: keepsAccessList)
    }
}
