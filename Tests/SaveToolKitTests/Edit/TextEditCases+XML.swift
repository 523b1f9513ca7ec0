extension TextEditCase {
    /// Edits of XML, each with the number of the rule that it shows. A text without `<plist` is wrapped in one.
    static let xml = #"""
        == 1 set /a 16 | the same value keeps its spelling
        <dict>
            <key>a</key><integer>0x10</integer>
        </dict>
        -->
        <dict>
            <key>a</key><integer>0x10</integer>
        </dict>
        == 2 set --change-type /a '["x"]' | the element is replaced, all around stays
        <dict>
            <key>a</key> <!-- one --> <integer>1</integer> <!-- two -->
            <key>b</key>
            <true/>
        </dict>
        -->
        <dict>
            <key>a</key> <!-- one --> <array>
                <string>x</string>
            </array> <!-- two -->
            <key>b</key>
            <true/>
        </dict>
        == 3 remove /b | a comment at the end of a line stays with another member on it
        <dict>
            <key>a</key><true/> <key>b</key><true/> <!-- both -->
            <key>c</key><true/>
        </dict>
        -->
        <dict>
            <key>a</key><true/> <!-- both -->
            <key>c</key><true/>
        </dict>
        == 3 insert /1 2 | what is inserted goes behind the comment at the end of the line
        <array>
            <integer>1</integer> <!-- one -->
            <integer>3</integer> <!-- three -->
        </array>
        -->
        <array>
            <integer>1</integer> <!-- one -->
            <integer>2</integer>
            <integer>3</integer> <!-- three -->
        </array>
        == 4 remove /b | the block goes with the member below, one set apart stays
        <dict>
            <key>a</key>
            <true/>

            <!-- section -->

            <!-- about b -->
            <!-- more about b -->
            <key>b</key>
            <true/>
            <key>c</key>
            <true/>
        </dict>
        -->
        <dict>
            <key>a</key>
            <true/>

            <!-- section -->

            <key>c</key>
            <true/>
        </dict>
        == 5 remove /a | a comment between key and value goes with them
        <dict>
            <key>a</key>
            <!-- in a -->
            <true/>
            <key>b</key>
            <true/>
        </dict>
        -->
        <dict>
            <key>b</key>
            <true/>
        </dict>
        == 6 remove /a | comments before the closing tag stay
        <dict>
            <key>a</key>
            <true/>
            <!-- the end -->
        </dict>
        -->
        <dict>
            <!-- the end -->
        </dict>
        == 7 remove --keep-comments /b | the block stays if it is wanted
        <dict>
            <key>a</key>
            <true/>
            <!-- about b -->
            <key>b</key>
            <true/>
        </dict>
        -->
        <dict>
            <key>a</key>
            <true/>
            <!-- about b -->
        </dict>
        == 8 remove /b | the gap above stays, that below goes
        <dict>
            <key>a</key>
            <true/>

            <key>b</key>
            <true/>


            <key>c</key>
            <true/>
        </dict>
        -->
        <dict>
            <key>a</key>
            <true/>

            <key>c</key>
            <true/>
        </dict>
        == 8 remove /b | no blank line is last
        <dict>
            <key>a</key>
            <true/>

            <key>b</key>
            <true/>
        </dict>
        -->
        <dict>
            <key>a</key>
            <true/>
        </dict>
        == 9 remove /a/0 | without members a container is one tag
        <dict>
            <key>a</key>
            <array>
                <true/>
            </array>
        </dict>
        -->
        <dict>
            <key>a</key>
            <array/>
        </dict>
        == 10 set /b 2 | behind the last member, before comments that end the container
        <dict>
            <key>a</key>
            <integer>1</integer> <!-- about a -->

            <!-- the end -->
        </dict>
        -->
        <dict>
            <key>a</key>
            <integer>1</integer> <!-- about a -->
            <key>b</key>
            <integer>2</integer>

            <!-- the end -->
        </dict>
        == 11 insert /0 0 | above the block of the member, below what is set apart
        <array>
            <!-- section -->

            <!-- about one -->
            <integer>1</integer>
        </array>
        -->
        <array>
            <!-- section -->

            <integer>0</integer>
            <!-- about one -->
            <integer>1</integer>
        </array>
        == 14 set /c 1 | the blanks of the sibling before, whatever they are
        <dict>
         <key>a</key>
         <true/>
               <key>b</key>
               <true/>
        </dict>
        -->
        <dict>
         <key>a</key>
         <true/>
               <key>b</key>
               <true/>
               <key>c</key>
               <integer>1</integer>
        </dict>
        == 15 insert /- 3 | what is on one line stays on it
        <array><integer>1</integer> <integer>2</integer></array>
        -->
        <array><integer>1</integer> <integer>2</integer> <integer>3</integer></array>
        == 16 set /a '[1]' | an empty root opens
        <dict/>
        -->
        <dict>
        	<key>a</key>
        	<array>
        		<integer>1</integer>
        	</array>
        </dict>
        == 17 set /b 2 | between key and value what a sibling has
        <dict>
          <key>a</key> <integer>1</integer>
        </dict>
        -->
        <dict>
          <key>a</key> <integer>1</integer>
          <key>b</key> <integer>2</integer>
        </dict>
        == 18 set /c 3 | a blank line where all siblings have one
        <dict>
          <key>a</key>
          <integer>1</integer>

          <key>b</key>
          <integer>2</integer>
        </dict>
        -->
        <dict>
          <key>a</key>
          <integer>1</integer>

          <key>b</key>
          <integer>2</integer>

          <key>c</key>
          <integer>3</integer>
        </dict>
        == 21 set /a '"\"<&>\" é /"' | what XML asks for is escaped, and nothing else
        <dict>
          <key>a</key>
          <string>&quot;&#x41;</string>
          <key>b</key>
          <string>&quot;&#x41;&apos;</string>
        </dict>
        -->
        <dict>
          <key>a</key>
          <string>"&lt;&amp;&gt;" é /</string>
          <key>b</key>
          <string>&quot;&#x41;&apos;</string>
        </dict>
        == 22 set /a '"a ]]> b"' | a section that cannot hold the text
        <dict>
          <key>a</key>
          <string><![CDATA[a]]></string>
        </dict>
        -->
        <dict>
          <key>a</key>
          <string>a ]]&gt; b</string>
        </dict>
        == 23 set /a 2 | what is outside of the values
        <?xml version='1.0' standalone="yes" ?>
        <!-- before -->
        <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN"
          "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <?pi here?>
        <plist   version = '0.9' >
        <dict><key>a</key><integer>1</integer></dict>
        </plist>
        <!-- behind -->
        -->
        <?xml version='1.0' standalone="yes" ?>
        <!-- before -->
        <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN"
          "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <?pi here?>
        <plist   version = '0.9' >
        <dict><key>a</key><integer>2</integer></dict>
        </plist>
        <!-- behind -->
        == 24 set --change-type /b '[true, {}]' | empty elements as the file has them
        <dict>
          <key>a</key>
          <true />
          <key>b</key>
          <false />
        </dict>
        -->
        <dict>
          <key>a</key>
          <true />
          <key>b</key>
          <array>
            <true />
            <dict />
          </array>
        </dict>
        == 24 set /b false | and as a pair of tags
        <dict>
          <key>a</key>
          <true></true>
          <key>b</key>
          <true></true>
        </dict>
        -->
        <dict>
          <key>a</key>
          <true></true>
          <key>b</key>
          <false></false>
        </dict>
        == 25 set /b '{"$data": "AAEC"}' | data in the lines of other data
        <dict>
        	<key>a</key>
        	<data>
        	AAEC
        	</data>
        </dict>
        -->
        <dict>
        	<key>a</key>
        	<data>
        	AAEC
        	</data>
        	<key>b</key>
        	<data>
        	AAEC
        	</data>
        </dict>
        == 25 set /b '{"$data": "AAEC"}' | data on one line, as other data
        <dict>
        	<key>a</key>
        	<data>AAECAwQF</data>
        </dict>
        -->
        <dict>
        	<key>a</key>
        	<data>AAECAwQF</data>
        	<key>b</key>
        	<data>AAEC</data>
        </dict>
        == 29 set --change-type /a null | refused: null
        <dict><key>a</key><integer>1</integer></dict>
        -->
        == 30 set /a 3 | of a repeated key the one that counts
        <dict>
          <key>a</key>
          <integer>1</integer>
          <key>a</key>
          <integer>2</integer>
        </dict>
        -->
        <dict>
          <key>a</key>
          <integer>1</integer>
          <key>a</key>
          <integer>3</integer>
        </dict>
        == 30 remove /a | all of a repeated key
        <dict>
          <key>a</key>
          <integer>1</integer>
          <key>b</key>
          <integer>2</integer>
          <key>a</key>
          <integer>3</integer>
        </dict>
        -->
        <dict>
          <key>b</key>
          <integer>2</integer>
        </dict>
        == 31 set /b/c/d 1 | dictionaries that are missing
        <dict>
          <key>a</key>
          <integer>1</integer>
        </dict>
        -->
        <dict>
          <key>a</key>
          <integer>1</integer>
          <key>b</key>
          <dict>
            <key>c</key>
            <dict>
              <key>d</key>
              <integer>1</integer>
            </dict>
          </dict>
        </dict>
        == 31 insert /2 9 | refused: nothing is there
        <array><integer>1</integer></array>
        -->
        == 31 set /1 9 | refused: nothing is there
        <array><integer>1</integer></array>
        -->
        == 2 set /a 0.6 | the shortest digits of a real
        <dict><key>a</key><real>0.5</real></dict>
        -->
        <dict><key>a</key><real>0.6</real></dict>
        == 2 set /a 0.6 | seventeen digits where others have them
        <dict><key>a</key><real>0.10000000000000001</real></dict>
        -->
        <dict><key>a</key><real>0.59999999999999998</real></dict>
        == 2 patch '[{"op": "remove", "path": "/a"}, {"op": "add", "path": "/d", "value": 4}, {"op": "replace", "path": "/c/0", "value": 5}]' | several edits
        <dict>
          <!-- about a -->
          <key>a</key>
          <integer>0x1</integer> <!-- one -->
          <!-- about b -->
          <key>b</key>
          <integer>0x2</integer> <!-- two -->
          <key>c</key>
          <array><integer>3</integer></array> <!-- three -->
        </dict>
        -->
        <dict>
          <!-- about b -->
          <key>b</key>
          <integer>0x2</integer> <!-- two -->
          <key>c</key>
          <array><integer>5</integer></array> <!-- three -->
          <key>d</key>
          <integer>4</integer>
        </dict>
        == 4 patch '[{"op": "move", "from": "/a", "path": "/c"}]' | a member under another key
        <dict>
          <!-- about a -->
          <key>a</key>
          <integer>0x1</integer>
          <key>b</key>
          <integer>2</integer>
        </dict>
        -->
        <dict>
          <key>b</key>
          <integer>2</integer>
          <key>c</key>
          <integer>0x1</integer>
        </dict>
        """#
}
