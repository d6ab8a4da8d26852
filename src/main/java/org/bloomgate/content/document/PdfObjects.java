package org.bloomgate.content.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.content.document.PdfTokens.Kind;
import org.bloomgate.core.limit.Limit;

/// The objects of a PDF by their numbers. Only their places are kept; values are parsed when they are needed. Of
/// several objects with one number the last one counts, because that is how files are changed.
final class PdfObjects {
    /// The place of a value, in the file or in an object stream.
    @SuppressWarnings("ArrayRecordComponent")
    record Value(byte[] bytes, int from, int to) {}

    /// @param form whether it is a form, which pages show by its name
    record Stream(int from, int to, List<String> filters, PdfPrediction prediction, boolean form) {}

    static final Value NOTHING = new Value(new byte[0], 0, 0);

    private static final byte[] EMPTY = {};

    /// Heap for the place of an object.
    private static final int BYTES_OF_PLACE = 96;

    /// Entries of one dictionary: the limit `pdfObjects`.
    private static final int MAX_ENTRIES = 4096;

    /// Bytes of a form that may be shown more than once.
    private static final int SHORT_FORM = 4096;

    /// Bytes of forms that are shown again. Hides nothing but drawings: the text of each form is read once.
    private static final int MAX_REPEATED_BYTES = 1 << 20;

    private final byte[] pdf;
    private final LinkSink finds;
    private final PdfStreams decoder;
    private final Map<Integer, Value> places = new HashMap<>();
    private final Map<Integer, List<Stream>> streams = new TreeMap<>();

    /// Objects by the names that others have for them, for pages whose resources are missing.
    private final Map<String, Value> named = new HashMap<>();

    /// Content of forms that was short, by their numbers; it may be shown again.
    private final Map<Integer, byte[]> forms = new HashMap<>();

    private int repeatsLeft = MAX_REPEATED_BYTES;

    /// Fonts by the places of their dictionaries.
    private final Map<Value, PdfFont> fonts = new HashMap<>();

    private int rangesLeft = PdfCharacters.MAX_RANGES;

    PdfObjects(byte[] pdf, LinkSink finds, PdfStreams decoder) {
        this.pdf = pdf;
        this.finds = finds;
        this.decoder = decoder;
    }

    LinkSink finds() {
        return finds;
    }

    /// Adds the place of an object, unless there is no heap for it.
    void add(int number, Value place) {
        if (finds.allowance().takeHeap(Limit.PDF_OBJECTS, BYTES_OF_PLACE)) {
            places.put(number, place);
        }
    }

    void add(int number, Stream stream) {
        streams.computeIfAbsent(number, _ -> new ArrayList<>()).add(stream);
    }

    Value object(int number) {
        return places.getOrDefault(number, NOTHING);
    }

    /// All streams by the numbers of their objects, the last one of each number last.
    Map<Integer, List<Stream>> streams() {
        return streams;
    }

    Optional<Stream> stream(int number) {
        return Optional.ofNullable(streams.get(number)).map(List::getLast);
    }

    /// The decoded bytes of a stream, whose heap the caller gives back; empty if there is none.
    byte[] content(int number) {
        return stream(number).map(this::content).orElse(EMPTY);
    }

    byte[] content(Stream stream) {
        return decoder.decode(pdf, stream.from, stream.to, stream.filters, stream.prediction);
    }

    /// Whether a form may be shown: the first time, and again if it is short.
    boolean mayShow(int form) {
        byte[] again = forms.get(form);
        repeatsLeft -= again == null ? 0 : again.length;
        return streams.containsKey(form) && (again == null || (again.length > 0 && repeatsLeft >= 0));
    }

    /// Whether a form was shown.
    boolean wasShown(int form) {
        return forms.containsKey(form);
    }

    /// The content of a form, whose heap the caller gives back.
    byte[] form(int number) {
        byte[] known = forms.get(number);
        if (known == null) {
            known = content(number);
            forms.put(number, known.length > SHORT_FORM ? EMPTY : known);
        }
        return known;
    }

    /// The number of names.
    int names() {
        return named.size();
    }

    void name(String name, Value value) {
        named.put(name, value);
    }

    /// The object that another one has this name for.
    Value named(String name) {
        return named.getOrDefault(name, NOTHING);
    }

    PdfTokens tokens(Value value) {
        return new PdfTokens(value.bytes, value.from, value.to, finds);
    }

    /// The number of the object that the value refers to, or -1.
    int reference(Value value) {
        PdfTokens tokens = tokens(value);
        if (tokens.next() != Kind.NUMBER) {
            return -1;
        }
        int number = (int) tokens.number();
        boolean refers = tokens.next() == Kind.NUMBER
                && tokens.next() == Kind.WORD
                && tokens.text().equals("R");
        return refers ? number : -1;
    }

    /// Whether the value is a reference or an array.
    boolean refers(Value value) {
        Kind kind = tokens(value).next();
        return kind == Kind.NUMBER || kind == Kind.ARRAY;
    }

    /// The value, or the object that it refers to.
    Value resolve(Value value) {
        int object = reference(value);
        return object < 0 ? value : object(object);
    }

    /// The tokens after the opening bracket of an array.
    PdfTokens array(Value value) {
        PdfTokens tokens = tokens(resolve(value));
        return tokens.next() == Kind.ARRAY ? tokens : tokens(NOTHING);
    }

    /// The first element of an array.
    Value first(Value array) {
        Value value = resolve(array);
        PdfTokens tokens = tokens(value);
        return tokens.next() == Kind.ARRAY ? new Value(value.bytes, tokens.at(), value.to) : NOTHING;
    }

    /// The values of a dictionary, which may be references.
    Map<String, Value> entries(Value dictionary) {
        Value value = resolve(dictionary);
        PdfTokens tokens = tokens(value);
        Map<String, Value> entries = new HashMap<>();
        if (tokens.next() == Kind.DICTIONARY) {
            for (Kind kind = tokens.next(); kind != Kind.END && kind != Kind.END_OF_DICTIONARY; kind = tokens.next()) {
                if (kind == Kind.NAME) {
                    if (entries.size() == MAX_ENTRIES) {
                        finds.reached(Limit.PDF_OBJECTS);
                        break;
                    }
                    String key = tokens.text();
                    entries.put(key, new Value(value.bytes, tokens.at(), value.to));
                    if (!tokens.skip()) {
                        break;
                    }
                }
            }
        }
        return entries;
    }

    /// The name that a value is; empty if it is none.
    String name(Value value) {
        PdfTokens tokens = tokens(resolve(value));
        return tokens.next() == Kind.NAME ? tokens.text() : "";
    }

    double number(Value value, double otherwise) {
        PdfTokens tokens = tokens(resolve(value));
        return tokens.next() == Kind.NUMBER ? tokens.number() : otherwise;
    }

    /// The objects that a value refers to: one, or those in an array.
    List<Integer> references(Value value) {
        List<Integer> references = new ArrayList<>();
        int direct = reference(value);
        if (direct >= 0 && streams.containsKey(direct)) {
            return List.of(direct);
        }
        PdfTokens tokens = array(value);
        double before = -1;
        double last = -1;
        for (Kind kind = tokens.next(); kind != Kind.END && kind != Kind.END_OF_ARRAY; kind = tokens.next()) {
            if (kind == Kind.WORD && before >= 0 && references.size() < MAX_ENTRIES) {
                references.add((int) before);
            }
            before = kind == Kind.NUMBER ? last : -1;
            last = kind == Kind.NUMBER ? tokens.number() : -1;
        }
        return references;
    }

    /// The font with a dictionary, which is read once.
    PdfFont font(Value place) {
        Value dictionary = resolve(place);
        PdfFont known = fonts.get(dictionary);
        if (known == null) {
            known = PdfFont.of(this, entries(dictionary));
            fonts.put(dictionary, known);
        }
        return known;
    }

    /// The character map in a stream.
    PdfCharacters characters(Value reference) {
        long before = finds.allowance().heap();
        PdfCharacters read = PdfCharacters.of(content(reference(reference)), rangesLeft, finds);
        rangesLeft -= read.size();
        finds.allowance().heapBackTo(before);
        return read;
    }
}
