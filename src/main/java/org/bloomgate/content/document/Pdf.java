package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.core.limit.GrowingText;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;

/// Finds the links of a PDF: targets of URI, SubmitForm, Launch and GoToR actions, scripts and embedded files, the text
/// of annotations and fields, anywhere in the file, including object streams and strings that are objects of their own.
/// Names count in any spelling. No structure of the file is trusted or required. A file that only a password opens is
/// the limit `opaque`. A comment is white space (7.2.4), but programs that use the file's object table read an object
/// inside a comment; so if a comment may contain an object, the file is read with and without it.
public final class Pdf {
    /// Strings and streams that are objects of their own, references to them, and links that need a base: the
    /// limit `pdfObjects`.
    static final int MAX_OBJECTS = 20_000;

    /// Pages and character maps that are read: the limit `pdfInflated`.
    static final int MAX_PAGES = 512;

    /// Filters of one stream: the limit `pdfObjects`.
    static final int MAX_FILTERS = 8;

    /// The largest offset in an object stream. Hides nothing: a larger one is beyond its end.
    private static final int MAX_OFFSET = 1 << 24;

    /// The number of fonts with the same name, on different pages.
    private static final int MAX_FONTS = 4;

    private static final int LONGEST_FONT_NAME = 64;
    private static final List<PdfCharacters> PLAIN_FONT = List.of(PdfCharacters.PLAIN);

    private static final int BYTES_BETWEEN_PAYMENTS = 4096;
    private static final int TOKENS_BETWEEN_PAYMENTS = 256;
    private static final int WORK_PER_TOKEN = 16;
    private static final int WORK_PER_OBJECT = 64;
    private static final int TOKENS_OF_STREAM = 8;

    private static final String STREAM_END = "endstream";

    private static final String XFA = "XFA";

    /// The keys whose values are read.
    private static final Set<String> KEYS = Set.of("URI", "Base", "F", "UF", "P", "JS", XFA, "Contents", "V", "RC");

    /// A stream that was read.
    ///
    /// @param page whether it was read as the content of a page, which it may be in addition to anything else
    private record Opened(int from, List<String> filters, boolean page) {}

    private record Reference(String key, int object) {}

    /// @param form whether it is a form, which pages show by its name
    private record Stream(int from, int to, List<String> filters, PdfPrediction prediction, boolean form) {}

    private final byte[] pdf;
    private final int length;
    private final LinkSink finds;
    private final PdfStreams streams;
    private final PdfStreams pageStreams;
    private final PdfPicture picture;
    private final Map<Integer, String> strings = new HashMap<>();
    private final SortedMap<Integer, Stream> unread = new TreeMap<>();
    private final Set<Reference> references = new LinkedHashSet<>();

    /// Objects by the names that other objects have for them, for example fonts.
    private final Map<String, Set<Integer>> byName = new HashMap<>();

    /// Fonts by their names on pages, added when they are first used.
    private final Map<String, List<PdfCharacters>> fonts = new HashMap<>();

    /// The objects of character maps, by the fonts that refer to them.
    private final Map<Integer, Integer> maps = new HashMap<>();

    private final Map<Integer, PdfCharacters> characters = new HashMap<>();

    /// Objects that are the content of a page: a stream, or a list of streams.
    private final Set<Integer> contents = new HashSet<>();

    /// The form in XML, which may be split into several streams.
    private final GrowingText xfa;

    private boolean unmapped;
    private boolean encrypted;
    private final List<String> relative = new ArrayList<>();
    private final Set<Opened> opened;
    private final boolean comments;
    private String base = "";

    /// Whether a comment may contain an object.
    private boolean disputed;

    private Pdf(byte[] pdf, int length, LinkSink finds) {
        this.comments = true;
        this.opened = new HashSet<>();
        this.pdf = pdf;
        this.length = length;
        this.finds = finds;
        this.streams = new PdfStreams(finds);
        this.pageStreams = new PdfStreams(finds, PdfStreams.MAX_STREAM_BYTES, MAX_PAGES);
        this.picture = new PdfPicture(finds);
        this.xfa = new GrowingText(finds.allowance(), Limit.PDF_INFLATED);
    }

    /// A reader that reads comments like anything else, but no stream twice.
    private Pdf(Pdf usual) {
        this.comments = false;
        this.opened = usual.opened;
        this.pdf = usual.pdf;
        this.length = usual.length;
        this.finds = usual.finds;
        this.streams = usual.streams;
        this.pageStreams = usual.pageStreams;
        this.picture = usual.picture;
        this.xfa = new GrowingText(finds.allowance(), Limit.PDF_INFLATED);
    }

    public static void read(byte[] pdf, int length, LinkSink finds) {
        Optional<byte[]> plain = PdfDecryption.plain(pdf, length, finds);
        if (plain.isPresent()) {
            readPlain(plain.get(), plain.get().length, finds);
        } else {
            readPlain(pdf, length, finds);
        }
    }

    private static void readPlain(byte[] pdf, int length, LinkSink finds) {
        Pdf usual = new Pdf(pdf, length, finds);
        usual.read();
        if (usual.disputed) {
            new Pdf(usual).read();
        }
    }

    private void read() {
        new Objects(pdf, 0, length, -1, true).read();
        for (Reference reference : references) {
            if (!finds.spend(WORK_PER_TOKEN)) {
                return;
            }
            long before = finds.allowance().heap();
            resolve(reference);
            if (!reference.key.equals(XFA)) {
                finds.allowance().heapBackTo(before);
            }
        }
        if (!xfa.isEmpty()) {
            byte[] form = xfa.toString().getBytes(StandardCharsets.ISO_8859_1);
            finds.addFile(".xml", form, form.length);
        }
        pages();
        if (!base.isEmpty()) {
            for (String link : relative) {
                if (!finds.spend(base.length())) {
                    return;
                }
                finds.addLink(base + (link.startsWith("/") || base.endsWith("/") ? "" : "/") + link);
            }
        }
    }

    /// Reads the content of pages, after the character maps.
    private void pages() {
        if (encrypted) {
            return;
        }
        int room = PdfCharacters.MAX_RANGES;
        for (int map : new TreeSet<>(maps.values())) {
            Optional<Stream> stream = Optional.ofNullable(unread.get(map));
            if (stream.isPresent()) {
                long before = finds.allowance().heap();
                PdfCharacters read = PdfCharacters.of(decoded(stream.get()), room, finds);
                room -= read.size();
                finds.allowance().heapBackTo(before);
                characters.put(map, read);
            }
        }
        boolean any = false;
        for (Map.Entry<Integer, Stream> entry : unread.entrySet()) {
            Stream stream = entry.getValue();
            boolean page = stream.form || contents.contains(entry.getKey());
            if (page && opens(stream.from, stream.filters, true)) {
                any = true;
                long before = finds.allowance().heap();
                PdfPage.read(decoded(stream), this::fonts, finds);
                finds.allowance().heapBackTo(before);
            }
        }
        if (unmapped && any) {
            finds.reached(Limit.PDF_FONTS);
        }
    }

    private byte[] decoded(Stream stream) {
        return pageStreams.decode(pdf, stream.from, stream.to, stream.filters, stream.prediction);
    }

    /// The character maps of the fonts with a name; pages may use one name for different fonts.
    private List<PdfCharacters> fonts(String name) {
        return byName.containsKey(name) ? fonts.computeIfAbsent(name, this::mapped) : PLAIN_FONT;
    }

    private List<PdfCharacters> mapped(String name) {
        List<PdfCharacters> found = byName.getOrDefault(name, Set.of()).stream()
                .flatMap(font -> Optional.ofNullable(maps.get(font)).stream())
                .flatMap(map -> Optional.ofNullable(characters.get(map)).stream())
                .distinct()
                .limit(MAX_FONTS)
                .toList();
        return found.isEmpty() ? PLAIN_FONT : found;
    }

    private void resolve(Reference reference) {
        Stream stream = unread.get(reference.object);
        if (strings.containsKey(reference.object)) {
            value(reference.key, strings.getOrDefault(reference.object, ""));
        } else if (stream != null
                && (reference.key.equals("JS") || reference.key.equals(XFA))
                && opens(stream.from, stream.filters, false)) {
            byte[] content = streams.decode(pdf, stream.from, stream.to, stream.filters, stream.prediction);
            if (reference.key.equals("JS")) {
                finds.addScript(new String(content, StandardCharsets.ISO_8859_1).replace("\0", ""));
            } else {
                xfa.append(new String(content, StandardCharsets.ISO_8859_1));
            }
        }
    }

    private void value(String key, String value) {
        switch (key) {
            case "URI" -> uri(value);
            case "Base" -> {
                base = base.isEmpty() ? value : base;
                finds.addLink(value);
            }
            case "JS" -> finds.addScript(value);
            case "F", "UF", "P" -> file(value);
            case "Contents", "V" -> finds.addText(value);
            case "RC" -> finds.addHtml(value);
            default -> {}
        }
    }

    private void uri(String value) {
        finds.addLink(value);
        if (value.indexOf(':') < 0 && hasRoom(relative.size())) {
            relative.add(value);
        }
    }

    /// Reads a file specification or the parameters of a program; most of them name local files.
    private void file(String value) {
        String lower = TextForms.lowerCase(value);
        if (value.startsWith("\\\\")
                || value.startsWith("//")
                || lower.startsWith("www.")
                || lower.startsWith("mailto:")) {
            finds.addLink(value);
        } else if (lower.contains("://")) {
            finds.addLink(
                    value.indexOf(' ') < 0 ? value : value.substring(value.lastIndexOf(' ', value.indexOf("://")) + 1));
        }
    }

    /// Whether the stream was not read before.
    private boolean opens(int from, List<String> filters, boolean page) {
        return hasRoom(opened.size()) && opened.add(new Opened(from, filters, page));
    }

    private boolean hasRoom(int size) {
        if (size >= MAX_OBJECTS) {
            finds.reached(Limit.PDF_OBJECTS);
        }
        return size < MAX_OBJECTS;
    }

    /// Reads the tokens of a file or of an object stream once.
    private final class Objects {
        private final byte[] bytes;
        private final int to;
        private final boolean outermost;
        private final PdfText text;
        private final List<String> filters = new ArrayList<>();
        private final PdfPrediction prediction = new PdfPrediction();
        private int at;
        private int tokens;
        private int object;
        private String key = "";
        private boolean named;
        private boolean holdsObjects;
        private boolean embedded;

        /// The name whose value the next reference is.
        private String before = "";

        /// Whether the token is in the value of `Contents`.
        private boolean shown;

        private boolean form;
        private boolean composite;
        private boolean mapped;
        private long last = -1;
        private long beforeLast = -1;
        private int streamEnd = -1;

        /// @param object the object whose content this is, or -1
        /// @param outermost whether this is the file itself
        Objects(byte[] bytes, int from, int to, int object, boolean outermost) {
            this.outermost = outermost;
            this.bytes = bytes;
            this.at = from;
            this.to = to;
            this.object = object;
            this.text = new PdfText(bytes, to);
        }

        void read() {
            int paid = at;
            while (at < to && !text.exhausted()) {
                if (at - paid > BYTES_BETWEEN_PAYMENTS || tokens > TOKENS_BETWEEN_PAYMENTS) {
                    if (!finds.spend((long) at - paid + (long) tokens * WORK_PER_TOKEN)) {
                        return;
                    }
                    paid = at;
                    tokens = 0;
                }
                token(bytes[at++]);
            }
            finds.spend((long) at - paid + (long) tokens * WORK_PER_TOKEN);
            unmapped |= composite && !mapped;
        }

        private void token(byte c) {
            tokens += c > ' ' ? 1 : 0;
            if (c == '/') {
                name(text.name(at));
                at = text.behind();
            } else if (c == '(') {
                text.literal(at, finds);
                string();
            } else if (c == '<' && at < to && bytes[at] == '<') {
                at++;
                named = true;
            } else if (c == '<') {
                text.hexadecimal(at);
                string();
            } else if (c == '%' && comments) {
                comment();
            } else if (c >= '0' && c <= '9') {
                number(c - '0');
            } else if (c >= 'A' && c <= 'z' && PdfText.isRegular(c)) {
                word();
            }
        }

        private void comment() {
            int from = at;
            while (at < to && bytes[at] != '\n' && bytes[at] != '\r') {
                disputed |= "/()<>".indexOf(bytes[at]) >= 0;
                at++;
            }
            disputed |= LittleEndian.indexOf(bytes, at, "obj", from) >= 0
                    || LittleEndian.indexOf(bytes, at, "stream", from) >= 0;
        }

        private void name(String name) {
            named = true;
            picture.name(name);
            prediction.name(name);
            key = KEYS.contains(name) ? name : "";
            before = name;
            shown = name.equals("Contents");
            form |= name.equals("Form");
            composite |= name.equals("Type0");
            holdsObjects |= name.equals("ObjStm");
            embedded |= name.equals("EmbeddedFile");
            if (PdfStreams.isFilter(name)) {
                filter(name);
            }
            if (name.equals("Encrypt")) {
                finds.reached(Limit.OPAQUE);
                encrypted = true;
            }
        }

        private void filter(String name) {
            if (filters.size() < MAX_FILTERS) {
                filters.add(name);
            } else {
                finds.reached(Limit.PDF_OBJECTS);
            }
        }

        private void string() {
            at = text.behind();
            if (!key.isEmpty()) {
                value(key, text.string());
            } else if (object >= 0 && !named && !strings.containsKey(object) && hasRoom(strings.size())) {
                strings.put(object, text.string());
            }
            // The parts of a form have names.
            key = key.equals(XFA) ? key : "";
        }

        private void number(int first) {
            long number = first;
            while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
                number = Math.min(number * 10 + bytes[at++] - '0', Integer.MAX_VALUE);
            }
            beforeLast = last;
            last = number;
            picture.number(number);
            prediction.number(number);
        }

        private void word() {
            int from = at - 1;
            while (at < to && PdfText.isRegular(bytes[at])) {
                at++;
            }
            if (LittleEndian.isAt(bytes, at, from, "obj")) {
                begin((int) beforeLast);
            } else if (LittleEndian.isAt(bytes, at, from, "R") && at == from + 1) {
                picture.reference();
                referred((int) beforeLast);
                prediction.reference();
                if (!key.isEmpty() && beforeLast >= 0 && hasRoom(references.size())) {
                    references.add(new Reference(key, (int) beforeLast));
                }
                key = key.equals(XFA) ? key : "";
            } else if (LittleEndian.isAt(bytes, at, from, "stream")) {
                at = from + "stream".length();
                stream();
            }
            last = -1;
            beforeLast = -1;
        }

        /// Records a reference. A list of references without a name may be the value of `Contents`.
        private void referred(int to) {
            if ((shown || !named) && hasRoom(contents.size())) {
                contents.add(to);
            }
            if (before.equals("ToUnicode")) {
                mapped = true;
                if (hasRoom(maps.size())) {
                    maps.put(object, to);
                }
            } else if (to >= 0 && !before.isEmpty() && before.length() <= LONGEST_FONT_NAME && hasRoom(byName.size())) {
                Set<Integer> named = byName.computeIfAbsent(before, _ -> new LinkedHashSet<>());
                if (named.size() < MAX_FONTS) {
                    named.add(to);
                }
            }
            before = "";
        }

        private void begin(int number) {
            unmapped |= composite && !mapped;
            composite = false;
            mapped = false;
            before = "";
            shown = false;
            form = false;
            object = number;
            key = "";
            named = false;
            holdsObjects = false;
            embedded = false;
            picture.begin();
            prediction.begin();
            filters.clear();
        }

        private void stream() {
            tokens += TOKENS_OF_STREAM;
            int from = at;
            from += from < to && bytes[from] == '\r' ? 1 : 0;
            from += from < to && bytes[from] == '\n' ? 1 : 0;
            if (streamEnd < from && streamEnd != to) {
                int end = LittleEndian.indexOf(bytes, to, STREAM_END, from);
                streamEnd = end < 0 ? to : end;
            }
            content(from, List.copyOf(filters));
            int hidden = streamEnd == to ? from : LittleEndian.indexOf(bytes, streamEnd, "/URI", from);
            at = hidden < 0 ? streamEnd : hidden;
            begin(-1);
        }

        private void content(int from, List<String> by) {
            boolean read = holdsObjects || embedded || picture.isPicture();
            if (read && outermost && !opens(from, by, false)) {
                return;
            }
            long before = finds.allowance().heap();
            if (holdsObjects) {
                objects(streams.decode(bytes, from, streamEnd, by, prediction));
            } else if (embedded) {
                byte[] file = streams.decode(bytes, from, streamEnd, by, prediction);
                finds.addFile("", file, file.length);
            } else if (picture.isPicture()) {
                picture.read(bytes, from, streamEnd, by);
            } else if (outermost && object >= 0 && hasRoom(unread.size())) {
                int to = streamEnd;
                to -= to > from && bytes[to - 1] == '\n' ? 1 : 0;
                to -= to > from && bytes[to - 1] == '\r' ? 1 : 0;
                unread.putIfAbsent(object, new Stream(from, to, by, prediction.copy(), form));
            }
            finds.allowance().heapBackTo(before);
        }

        /// Reads the objects of an object stream, whose numbers and offsets are before the first object
        /// (7.5.7).
        private void objects(byte[] content) {
            List<Integer> head = new ArrayList<>();
            int i = 0;
            while (i < content.length && (content[i] <= ' ' || Character.isDigit(content[i]))) {
                int number = 0;
                int digit = i;
                while (digit < content.length && Character.isDigit(content[digit])) {
                    number = Math.min(number * 10 + content[digit++] - '0', MAX_OFFSET);
                }
                if (digit > i && hasRoom(head.size() / 2)) {
                    head.add(number);
                }
                i = Math.max(digit, i + 1);
            }
            new Objects(content, 0, head.size() < 2 ? content.length : 0, -1, false).read();
            for (int pair = 0; pair + 1 < head.size() && finds.spend(WORK_PER_OBJECT); pair += 2) {
                int from = Math.min(content.length, i + head.get(pair + 1));
                int next = pair + 3 < head.size() ? i + head.get(pair + 3) : content.length;
                new Objects(content, from, Math.min(content.length, Math.max(from, next)), head.get(pair), false)
                        .read();
            }
        }
    }
}
