#if os(Linux)
    import Foundation
    import LinuxAttributes

    struct FileAttributes {
        static let accessList = "system.posix_acl_access"
        /// The default access control list of a folder, which its new files get.
        static let defaultList = "system.posix_acl_default"

        let path: String

        init(at path: String) {
            self.path = path
        }

        /// Sets an attribute. Returns false if the file system does not support it.
        func set(_ name: String, to value: [UInt8]) -> Bool {
            unsafe setxattr(path, name, value, value.count, 0) == 0
        }

        /// Returns the value of an attribute, or nil if the file does not have it.
        func value(of name: String) -> [UInt8]? {
            var value = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe getxattr(path, name, &value, value.count)
            return count < 0 ? nil : Array(value.prefix(count))
        }

        /// Sets an access control list that lets the owner and one more user read and write.
        func setAccessList(
            _ name: String = accessList, user: UInt32 = 1, group: UInt8, mask: UInt8, others: UInt8
        ) -> Bool {
            let nobody = UInt32.max
            let entries: [(tag: UInt8, rights: UInt8, id: UInt32)] = [
                (0x01, 6, nobody), (0x02, 6, user), (0x04, group, nobody), (0x10, mask, nobody), (0x20, others, nobody),
            ]
            var list: [UInt8] = [2, 0, 0, 0]
            for entry in entries {
                list += [entry.tag, 0, entry.rights, 0]
                for shift in [0, 8, 16, 24] { list.append(UInt8(truncatingIfNeeded: entry.id >> shift)) }
            }
            return set(name, to: list)
        }
    }
#endif
