package org.bloomgate.content.document;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.content.document.PdfObjects.Stream;
import org.bloomgate.content.document.PdfObjects.Value;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;

/// Finds the links of a PDF: targets of URI, SubmitForm, Launch and GoToR actions, scripts and embedded files, text
/// of annotations and fields, anywhere in the file, including object streams and strings that are objects of their
/// own; and reads its pages ([PdfPage]). Names count in any
/// spelling. No structure of the file is trusted or required. A file that only a password opens is the limit
/// `opaque`. A comment is white space (7.2.4), but programs that use the file's object table read an object
/// inside a comment; so if a comment may contain an object, the file is read with and without it.
public final class Pdf {
    /// Strings and streams that are objects of their own, references to them, and links that need a base: the
    /// limit `pdfObjects`.
    static final int MAX_OBJECTS = 20_000;

    /// Pages, forms, fonts and character maps that are read: the limit `pdfInflated`.
    static final int MAX_PAGES = 512;

    /// Filters of one stream: the limit `pdfObjects`.
    static final int MAX_FILTERS = 8;

    /// The largest offset in an object stream. Hides nothing: a larger one is beyond its end.
    private static final int MAX_OFFSET = 1 << 24;

    /// Nodes above a page, for its resources.
    private static final int MAX_PARENTS = 16;

    private static final int LONGEST_FONT_NAME = 64;
    private static final int BYTES_BETWEEN_PAYMENTS = 4096;
    private static final int TOKENS_BETWEEN_PAYMENTS = 256;
    private static final int WORK_PER_TOKEN = 16;
    private static final int TOKENS_OF_STREAM = 8;

    private static final String STREAM_END = "endstream";

    /// The keys whose values are read.
    private static final Set<String> KEYS = Set.of("URI", "Base", "F", "UF", "P", "JS", "Contents", "V", "RC");

    /// A stream that was read.
    ///
    /// @param page whether it was read as the content of a page, which it may be in addition to anything else
    private record Opened(int from, List<String> filters, boolean page) {}

    private record Reference(String key, int object) {}

    /// @param object the number of its object, or -1
    private record Page(int object, Value contents) {}

    private final byte[] pdf;
    private final int length;
    private final LinkSink finds;
    private final PdfStreams streams;
    private final PdfStreams pageStreams;
    private final PdfPicture picture;
    private final Map<Integer, String> strings = new HashMap<>();
    private final PdfObjects objects;
    private final Set<Reference> references = new LinkedHashSet<>();

    private final List<Page> pages = new ArrayList<>();
    private final List<Value> xfas = new ArrayList<>();
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
        this.objects = new PdfObjects(pdf, finds, pageStreams);
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
        this.objects = usual.objects;
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
        long before = finds.allowance().heap();
        Pdf usual = new Pdf(pdf, length, finds);
        usual.read();
        if (usual.disputed) {
            new Pdf(usual).read();
        }
        finds.allowance().heapBackTo(before);
    }

    private void read() {
        new Objects(pdf, 0, length, -1, true).read();
        for (Reference reference : references) {
            if (!finds.spend(WORK_PER_TOKEN)) {
                return;
            }
            long before = finds.allowance().heap();
            resolve(reference);
            finds.allowance().heapBackTo(before);
        }
        xfas.forEach(this::readXfa);
        readPages();
        if (!base.isEmpty()) {
            for (String link : relative) {
                finds.addLink(base + (link.startsWith("/") || base.endsWith("/") ? "" : "/") + link);
            }
        }
    }

    /// Reads the pages, and then what no page shows: forms, and earlier versions of pages.
    private void readPages() {
        if (encrypted) {
            return;
        }
        for (Page page : pages) {
            readPage(parts(page.contents, true), resources(page.object));
        }
        Set<Integer> shown = pages.stream()
                .flatMap(page -> objects.references(page.contents).stream())
                .collect(Collectors.toSet());
        objects.streams().forEach((object, streams) -> {
            for (Stream stream : streams) {
                boolean unshown = shown.contains(object) || (stream.form() && !objects.wasShown(object));
                if (unshown && opens(stream.from(), stream.filters(), true)) {
                    readPage(List.of(stream), resources(object));
                }
            }
        });
    }

    private void readPage(List<Stream> parts, Value resources) {
        long before = finds.allowance().heap();
        byte[] content = join(parts, true);
        if (content.length > 0) {
            PdfPage.read(content, resources, objects, finds);
        }
        finds.allowance().heapBackTo(before);
    }

    /// The streams that a value refers to, without those that were read before.
    private List<Stream> parts(Value value, boolean page) {
        return objects.references(value).stream()
                .flatMap(part -> objects.stream(part).stream())
                .filter(part -> opens(part.from(), part.filters(), page))
                .toList();
    }

    /// The decoded streams, one after the other; the caller gives back their heap.
    ///
    /// @param page whether streams end tokens
    private byte[] join(List<Stream> parts, boolean page) {
        List<byte[]> contents = parts.stream().map(objects::content).toList();
        long length =
                contents.stream().mapToLong(content -> content.length + 1L).sum();
        if (contents.size() == 1) {
            return contents.getFirst();
        } else if (!finds.allowance().takeHeap(Limit.PDF_INFLATED, 2 * length)) {
            return new byte[0];
        }
        ByteBuffer joined = ByteBuffer.allocate((int) length);
        for (byte[] content : contents) {
            joined.put(content).put(page ? new byte[] {'\n'} : new byte[0]);
        }
        return Arrays.copyOf(joined.array(), joined.position());
    }

    /// The resources of a page, which it may have from a node above it.
    private Value resources(int page) {
        Map<String, Value> node = objects.entries(objects.object(page));
        for (int i = 0; i < MAX_PARENTS && !node.containsKey("Resources") && node.containsKey("Parent"); i++) {
            node = objects.entries(node.getOrDefault("Parent", PdfObjects.NOTHING));
        }
        return node.getOrDefault("Resources", PdfObjects.NOTHING);
    }

    private void resolve(Reference reference) {
        Optional<Stream> stream = objects.stream(reference.object);
        if (strings.containsKey(reference.object)) {
            value(reference.key, strings.getOrDefault(reference.object, ""));
        } else if (stream.isPresent()
                && reference.key.equals("JS")
                && opens(stream.get().from(), stream.get().filters(), false)) {
            finds.addScript(new String(decoded(stream.get()), StandardCharsets.ISO_8859_1).replace("\0", ""));
        }
    }

    /// Reads a form in XML, which may be one stream or several.
    private void readXfa(Value value) {
        long before = finds.allowance().heap();
        byte[] xml = join(parts(value, false), false);
        finds.addFile(".xml", xml, xml.length);
        finds.allowance().heapBackTo(before);
    }

    private byte[] decoded(Stream stream) {
        return streams.decode(pdf, stream.from(), stream.to(), stream.filters(), stream.prediction());
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

        private int valueAt;

        private boolean form;
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
        }

        private void token(byte c) {
            tokens += c > ' ' ? 1 : 0;
            if (c == '/') {
                String name = text.name(at);
                at = text.behind();
                name(name);
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
            valueAt = at;
            form |= name.equals("Form");
            if (name.equals("XFA") && hasRoom(xfas.size())) {
                xfas.add(new Value(bytes, at, to));
            }
            if (name.equals("Contents") && objects.refers(new Value(bytes, at, to)) && hasRoom(pages.size())) {
                pages.add(new Page(object, new Value(bytes, at, to)));
            }
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
            key = "";
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
                objects.add(object, new Value(bytes, at, to));
            } else if (LittleEndian.isAt(bytes, at, from, "R") && at == from + 1) {
                picture.reference();
                if (!before.isEmpty() && before.length() <= LONGEST_FONT_NAME && hasRoom(objects.names())) {
                    objects.name(before, new Value(bytes, valueAt, to));
                }
                before = "";
                prediction.reference();
                if (!key.isEmpty() && beforeLast >= 0 && hasRoom(references.size())) {
                    references.add(new Reference(key, (int) beforeLast));
                }
                key = "";
            } else if (LittleEndian.isAt(bytes, at, from, "stream")) {
                at = from + "stream".length();
                stream();
            }
            last = -1;
            beforeLast = -1;
        }

        private void begin(int number) {
            before = "";
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
                // Its heap is given back with that of the document, because its objects are read again.
                objects(streams.decode(bytes, from, streamEnd, by, prediction));
                return;
            } else if (embedded) {
                byte[] file = streams.decode(bytes, from, streamEnd, by, prediction);
                finds.addFile("", file, file.length);
            } else if (picture.isPicture()) {
                picture.read(bytes, from, streamEnd, by);
            } else if (outermost && object >= 0 && hasRoom(objects.streams().size())) {
                int end = streamEnd;
                end -= end > from && bytes[end - 1] == '\n' ? 1 : 0;
                end -= end > from && bytes[end - 1] == '\r' ? 1 : 0;
                objects.add(object, new Stream(from, end, by, prediction.copy(), form));
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
            for (int pair = 0; pair + 1 < head.size(); pair += 2) {
                int from = Math.min(content.length, i + head.get(pair + 1));
                int next = pair + 3 < head.size() ? i + head.get(pair + 3) : content.length;
                int end = Math.min(content.length, Math.max(from, next));
                objects.add(head.get(pair), new Value(content, from, end));
                new Objects(content, from, end, head.get(pair), false).read();
            }
        }
    }
}
