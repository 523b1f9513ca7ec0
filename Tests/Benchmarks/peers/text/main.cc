// Parsers of text as programs: the limit for reading XML and JSON. One of them is chosen by a macro at build time.
// LIBXML2 and EXPAT parse XML into events. YYJSON and SIMDJSON parse JSON into a tree and write it again.
//
// usage: text-peer INPUT OUTPUT | text-peer --version
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#ifdef LIBXML2
#include <libxml/parser.h>
static const char *version = LIBXML_DOTTED_VERSION;
static long events = 0;
static void start(void *, const xmlChar *, const xmlChar **) { events++; }
static void end(void *, const xmlChar *) { events++; }
static void text(void *, const xmlChar *, int length) { events += length > 0; }
static bool work(const std::string &input, FILE *) {
    xmlSAXHandler handler = {};
    handler.startElement = start;
    handler.endElement = end;
    handler.characters = text;
    return xmlSAXUserParseMemory(&handler, nullptr, input.data(), int(input.size())) == 0;
}
#endif

#ifdef EXPAT
#include <expat.h>
static const char *version = XML_ExpatVersion() + sizeof "expat";
static long events = 0;
static void start(void *, const XML_Char *, const XML_Char **) { events++; }
static void end(void *, const XML_Char *) { events++; }
static void text(void *, const XML_Char *, int length) { events += length > 0; }
static bool work(const std::string &input, FILE *) {
    XML_Parser parser = XML_ParserCreate(nullptr);
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, text);
    return XML_Parse(parser, input.data(), int(input.size()), 1) == XML_STATUS_OK;
}
#endif

#ifdef YYJSON
#include <yyjson.h>
static const char *version = YYJSON_VERSION_STRING;
static bool work(const std::string &input, FILE *output) {
    yyjson_doc *document = yyjson_read(input.data(), input.size(), 0);
    size_t size = 0;
    char *bytes = document ? yyjson_write(document, 0, &size) : nullptr;
    return bytes && fwrite(bytes, 1, size, output) == size;
}
#endif

#ifdef SIMDJSON
#include <simdjson.h>
#define QUOTED(x) #x
#define TEXT(x) QUOTED(x)
static const char *version = TEXT(SIMDJSON_VERSION);
static bool work(const std::string &input, FILE *output) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (parser.parse(simdjson::padded_string(input)).get(root)) return false;
    std::string bytes = simdjson::minify(root);
    return fwrite(bytes.data(), 1, bytes.size(), output) == bytes.size();
}
#endif

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "--version")) return puts(version) < 0;
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : nullptr;
    if (!file) return fprintf(stderr, "usage: text-peer INPUT OUTPUT\n"), 2;
    fseek(file, 0, SEEK_END);
    std::string input(size_t(ftell(file)), '\0');
    rewind(file);
    if (fread(&input[0], 1, input.size(), file) != input.size()) return 1;
    FILE *output = fopen(arguments[2], "wb");
    return output && work(input, output) && fclose(output) == 0 ? 0 : 1;
}
