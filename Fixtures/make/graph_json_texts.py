"""The texts of graph JSON in graph_json.py, without `$archiver` and `$version`, which come first."""

MAP_CLASS = """\
  "$classes": {
    "Map": ["Map", "NSObject"]
  },
"""


def nested(name, count, innermost):
    """A member with `count` nested arrays."""
    levels = ["  " * level for level in range(2, count + 3)]
    opening = [f'{levels[0]}"{name}": [', *(f"{level}[" for level in levels[1:-1])]
    return "\n".join([*opening, levels[-1] + innermost, *(f"{level}]" for level in reversed(levels[:-1]))])


DEEP = [nested("root", 198, '{"$ref": 1}'), nested("1", 101, "[]")]

texts = {
    "references": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "text": "Swamp",
      "none": null,
      "data": {"$data": "D70="},
      "date": {"$date": "2001-01-01T00:00:00Z"},
      "array": [
        "Ada",
        null
      ],
      "dictionary": {
        "gold": 7
      }
    }
  }""",
    "in-place": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "integer": 100,
      "negative": -1,
      "real": 0.5,
      "real32": {"$real32": 10.5},
      "yes": true,
      "no": false,
      "nan": {"$real": "nan"}
    }
  }""",
    "object-numbers": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "integer": {"$object": 12},
      "real": {"$object": 0.5},
      "real32": {"$object": {"$real32": 10.5}},
      "yes": {"$object": true},
      "infinity": {"$object": {"$real": "inf"}}
    }
  }""",
    "inline-text": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": "Swamp"}
    }
  }""",
    "inline-data": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": {"$data": "AQI="}}
    }
  }""",
    "inline-date": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": {"$date": "2001-01-01T00:00:00Z"}}
    }
  }""",
    "inline-array-empty": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": []}
    }
  }""",
    "inline-array": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": [
        "Ada",
        5,
        null
      ]}
    }
  }""",
    "inline-array-of-inline": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": [
        {"$inline": 1},
        {"$inline": "Ada"},
        {"$inline": [
          {"$inline": 2},
          "Bo"
        ]},
        {"$inline": []}
      ]}
    }
  }""",
    "inline-dictionary": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": {
        "name": "Ada",
        "score": {"$inline": 5},
        "$$ref": {"$inline": 1},
        "more": {"$inline": {
          "x": {"$inline": true}
        }}
      }}
    }
  }""",
    "inline-dictionary-empty": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": {}}
    }
  }""",
    "inline-dictionary-pairs": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": {"$dict": [
        ["k", {"$inline": 1}],
        ["k", "two"],
        [7, {"$inline": "seven"}]
      ]}}
    }
  }""",
    "inline-set": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": {"$set": [
        {"$inline": 1},
        "two"
      ]}}
    }
  }""",
    "top-several": """\
  "$top": {
    "root": "Ada",
    "version": 3,
    "scale": 1.5,
    "note": {"$inline": "in place"},
    "best": {"$object": 7}
  }""",
    "top-none": """\
  "$top": {}""",
    "top-null": """\
  "$top": {
    "root": null
  }""",
    "top-names": """\
  "$top": {
    "$$class": 1,
    "$$id": 1,
    "$$ref": 1,
    "$$$": 1,
    "$$": 1,
    "$$0": 1,
    "": 1,
    "$$date": 1
  }""",
    "top-repeated-name": """\
  "$top": {"$dict": [
    ["root", "Ada"],
    ["root", 2]
  ]}""",
    "archiver": """\
  "$top": {
    "root": "Swamp"
  }""",
    "names-fields": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "$$id": 0,
      "$$ref": 1,
      "$$$": 2,
      "$$": 3,
      "$$0": 4,
      "": 5,
      "$$date": 6
    }
  }""",
    "names-keys": """\
  "$top": {
    "root": {
      "$$class": "$class",
      "$$id": "$id",
      "$$ref": "$ref",
      "$$$": "$$",
      "$$": "$",
      "$$0": "$0",
      "": "",
      "$$date": "$date"
    }
  }""",
    "names-lone-surrogates": MAP_CLASS + r"""  "$top": {
    "root": {
      "$class": "Map",
      "\uD83D": 1,
      "$$\uDE00": "\uDE00\uD83D"
    }
  }""",
    "names-classes": """\
  "$classes": {
    "": ["", "NSObject"],
    "$$class": ["$class", "NSObject"]
  },
  "$top": {
    "root": [
      {
        "$class": "$class"
      },
      {
        "$class": ""
      }
    ]
  }""",
    "fields-repeated-name": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "$fields": [
        ["k", 1],
        ["k", "two"],
        ["$$k", {"$inline": [
          {"$inline": 3}
        ]}]
      ]
    }
  }""",
    "fields-number-name": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "$fields": [
        [7, 1],
        ["k", "two"]
      ]
    }
  }""",
    "array": """\
  "$top": {
    "root": [
      "Ada",
      7,
      true,
      0.5,
      null,
      {"$data": "AQ=="},
      [],
      {"$date": "2001-01-01T00:00:00.5Z"},
      {}
    ]
  }""",
    "array-mutable": """\
  "$top": {
    "root": {
      "$class": "NSMutableArray",
      "$elements": [
        "Ada",
        7
      ]
    }
  }""",
    "array-mutable-empty": """\
  "$top": {
    "root": {
      "$class": "NSMutableArray",
      "$elements": []
    }
  }""",
    "set": """\
  "$top": {
    "root": {
      "$class": "NSSet",
      "$elements": [
        "Ada",
        7
      ]
    }
  }""",
    "set-ordered": """\
  "$top": {
    "root": {
      "$class": "NSOrderedSet",
      "$elements": [
        "Ada",
        7
      ]
    }
  }""",
    "dictionary": """\
  "$top": {
    "root": {
      "name": "Ada",
      "friends": [
        "Bo"
      ],
      "none": null
    }
  }""",
    "dictionary-mutable": """\
  "$top": {
    "root": {
      "$class": "NSMutableDictionary",
      "$entries": {
        "name": "Ada",
        "gold": 7
      }
    }
  }""",
    "dictionary-mutable-empty": """\
  "$top": {
    "root": {
      "$class": "NSMutableDictionary",
      "$entries": {}
    }
  }""",
    "dictionary-other-keys": """\
  "$top": {
    "root": {
      "$class": "NSDictionary",
      "$entries": [
        [7, "seven"],
        [[
            "a",
            "b"
          ], []],
        [{"$date": "2001-01-01T00:00:00Z"}, null]
      ]
    }
  }""",
    "dictionary-repeated-key": """\
  "$top": {
    "root": {
      "$class": "NSDictionary",
      "$entries": [
        ["k", 1],
        ["k", 2]
      ]
    }
  }""",
    "date": """\
  "$top": {
    "root": {"$date": "2009-09-06T12:34:56.789Z"}
  }""",
    "string-mutable": """\
  "$top": {
    "root": {
      "$class": "NSMutableString",
      "NS.string": {"$inline": "Swamp"}
    }
  }""",
    "null-object": """\
  "$top": {
    "root": [
      {
        "$class": "NSNull"
      },
      null
    ]
  }""",
    "array-numbered": """\
  "$top": {
    "root": {
      "$class": "NSArray",
      "NS.object.0": "Ada",
      "NS.object.1": {"$object": 7}
    }
  }""",
    "array-breaks-rules": """\
  "$top": {
    "root": {
      "$class": "NSArray",
      "NS.objects": {"$inline": [
        {"$inline": "in place"},
        "Ada"
      ]}
    }
  }""",
    "dictionary-breaks-rules": """\
  "$top": {
    "root": {
      "$class": "NSDictionary",
      "NS.keys": {"$inline": [
        "a",
        "b"
      ]},
      "NS.objects": {"$inline": [
        1
      ]}
    }
  }""",
    "date-with-more": """\
  "$top": {
    "root": {
      "$class": "NSDate",
      "NS.time": 0.0,
      "zone": "UTC"
    }
  }""",
    "cycle": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "$id": 1,
      "self": {"$ref": 1}
    }
  }""",
    "shared-object": MAP_CLASS + """\
  "$top": {
    "root": [
      {
        "$class": "Map",
        "$id": 1,
        "name": "Swamp"
      },
      {"$ref": 1}
    ]
  }""",
    "shared-array": """\
  "$top": {
    "root": [
      {
        "$class": "NSArray",
        "$id": 1,
        "$elements": [
          "Ada"
        ]
      },
      {"$ref": 1}
    ]
  }""",
    "shared-dictionary": """\
  "$top": {
    "root": [
      {
        "$class": "NSDictionary",
        "$id": 1,
        "$entries": {
          "k": 1
        }
      },
      {"$ref": 1}
    ]
  }""",
    "shared-date": """\
  "$top": {
    "root": [
      {
        "$class": "NSDate",
        "$id": 1,
        "NS.time": 0.0
      },
      {"$ref": 1}
    ]
  }""",
    "shared-in-place": """\
  "$classes": {
    "Map": ["Map", "NSObject"],
    "Node": ["Node", "NSObject"]
  },
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$inline": [
        {
          "$class": "Node",
          "$id": 1
        },
        {"$inline": [
          {"$ref": 1}
        ]}
      ]},
      "again": {"$ref": 1}
    }
  }""",
    "shared-deep": '  "$top": {\n' + DEEP[0] + '\n  },\n  "$shared": {\n' + DEEP[1] + "\n  }",
    "scalars-equal": """\
  "$top": {
    "root": [
      1,
      1.0,
      true,
      {"$real32": 1.0},
      "1",
      1,
      1.0,
      true,
      {"$real32": 1.0},
      "1"
    ]
  }""",
    "raw-date": """\
  "$top": {
    "root": [
      {"$raw": {"$date": "2001-01-01T00:00:00Z"}},
      {"$raw": {"$date": "2000-12-31T23:59:59.5Z"}}
    ]
  }""",
    "raw-dictionary": """\
  "$top": {
    "root": {"$raw": {
      "name": "Swamp",
      "$date": [
        1,
        {"$set": [
          2
        ]}
      ]
    }}
  }""",
    "raw-dictionary-shared": """\
  "$top": {
    "root": [
      {"$raw": {
        "name": "Swamp"
      }, "$id": 1},
      {"$ref": 1}
    ]
  }""",
    "raw-array-in-field": MAP_CLASS + """\
  "$top": {
    "root": {
      "$class": "Map",
      "value": {"$raw": [
        1,
        "two"
      ]}
    }
  }""",
    "unreferenced": """\
  "$top": {
    "root": "Ada"
  },
  "$unreferenced": [
    "Bo",
    7,
    [
      "Cy"
    ],
    {"$raw": []}
  ]""",
    "unreferenced-cycle": MAP_CLASS + """\
  "$top": {
    "root": "Ada"
  },
  "$unreferenced": [
    {
      "$class": "Map",
      "$id": 1,
      "self": {"$ref": 1}
    }
  ]""",
    "unreferenced-class": """\
  "$top": {
    "root": "Ada"
  },
  "$unreferenced": [
    {"$raw": {
      "$classname": "Player",
      "$classes": [
        "Player",
        "NSObject"
      ]
    }}
  ]""",
    "classes-chain": """\
  "$classes": {
    "Player": ["Player", "Actor", "NSObject"]
  },
  "$top": {
    "root": {
      "$class": "Player"
    }
  }""",
    "classes-none": """\
  "$classes": {
    "Player": null
  },
  "$top": {
    "root": {
      "$class": "Player"
    }
  }""",
    "classes-hints": """\
  "$classes": {
    "Player": {"name": "Player", "chain": ["Player", "NSObject"], "hints": ["Actor"]}
  },
  "$top": {
    "root": {
      "$class": "Player"
    }
  }""",
    "classes-hints-only": """\
  "$classes": {
    "Player": {"name": "Player", "chain": null, "hints": []}
  },
  "$top": {
    "root": {
      "$class": "Player"
    }
  }""",
    "classes-two-of-one-name": """\
  "$classes": {
    "Player": ["Player", "Actor", "NSObject"],
    "Player#2": {"name": "Player", "chain": ["Player", "NSObject"]}
  },
  "$top": {
    "root": [
      {
        "$class": "Player"
      },
      {
        "$class": "Player#2"
      }
    ]
  }""",
    "classes-unlike-foundation": """\
  "$classes": {
    "NSArray": ["NSArray", "Odd", "NSObject"]
  },
  "$top": {
    "root": [
      "Ada"
    ]
  }""",
    "classes-two-of-foundation": """\
  "$classes": {
    "NSArray#2": {"name": "NSArray", "chain": ["NSArray", "Odd", "NSObject"]}
  },
  "$top": {
    "root": [
      {
        "$class": "NSArray#2",
        "$elements": []
      }
    ]
  }""",
}
