// The package howett.net/plist as a program.
//
// usage: peer read|xml|binary|json|from-json INPUT [OUTPUT]
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"howett.net/plist"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	work, input := os.Args[1], os.Args[2]
	bytes, err := os.ReadFile(input)
	check(err)
	var value interface{}
	if work == "from-json" {
		check(json.Unmarshal(bytes, &value))
	} else {
		_, err = plist.Unmarshal(bytes, &value)
		check(err)
	}
	if work == "read" {
		return
	}
	file, err := os.Create(os.Args[3])
	check(err)
	output := bufio.NewWriterSize(file, 1<<17)
	switch work {
	case "xml":
		check(plist.NewEncoderForFormat(output, plist.XMLFormat).Encode(value))
	case "json":
		check(json.NewEncoder(output).Encode(value))
	default:
		check(plist.NewBinaryEncoder(output).Encode(value))
	}
	check(output.Flush())
	check(file.Close())
}
