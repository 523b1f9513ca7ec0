import SaveToolKit

SaveTool.main()
