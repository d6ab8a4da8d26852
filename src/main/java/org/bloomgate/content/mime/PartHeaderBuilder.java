package org.bloomgate.content.mime;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.james.mime4j.stream.BodyDescriptor;
import org.apache.james.mime4j.stream.BodyDescriptorBuilder;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.NameValuePair;
import org.apache.james.mime4j.stream.RawBody;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.apache.james.mime4j.util.RecycledByteArrayBuffer;
import org.bloomgate.content.links.RelativeLink;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.jspecify.annotations.Nullable;

/// Reads the Content fields of a part for the parser, whose own builder knows neither RFC 2231 nor `base64
/// (x)`. The first field of a name counts, but every transfer encoding. A multipart without a boundary or with
/// two, and a multipart or message with several encodings, is plain text to the parser.
final class PartHeaderBuilder implements BodyDescriptorBuilder {
    private static final String PLAIN = "text/plain";
    private static final String MESSAGE = "message/rfc822";

    /// A message with UTF-8 in its header (RFC 6532, 3.7) is read like any other.
    private static final String GLOBAL_MESSAGE = "message/global";

    private static final String EXTERNAL_BODY = "message/external-body";

    /// When a part has this many external URLs, a further field with URLs makes it ambiguous, which is the
    /// limit `mime`.
    static final int MAX_EXTERNAL_URLS = 16;

    /// RFC 2046, 5.1.5: parts of a digest are messages.
    private static final String DIGEST = "multipart/digest";

    /// The type of a part without a Content-Type.
    private final String defaultType;
    private String mimeType = "";
    private String boundary = "";
    private String charset = "";
    private boolean joinsLines;
    private Set<TransferEncoding> encodings = Set.of();
    private final String outerBase;
    private String base = "";
    private String location = "";
    private final List<String> externalUrls = new ArrayList<>();
    private String name = "";
    private boolean isFile;
    private boolean isAmbiguous;

    PartHeaderBuilder() {
        this(PLAIN, "");
    }

    private PartHeaderBuilder(String defaultType, String outerBase) {
        this.defaultType = defaultType;
        this.outerBase = outerBase;
    }

    @Override
    public void reset() {
        mimeType = "";
        boundary = "";
        charset = "";
        joinsLines = false;
        encodings = Set.of();
        base = "";
        location = "";
        externalUrls.clear();
        name = "";
        isFile = false;
        isAmbiguous = false;
    }

    @Override
    public BodyDescriptorBuilder newChild() {
        return new PartHeaderBuilder(mimeType.equals(DIGEST) ? MESSAGE : PLAIN, findBase());
    }

    @Override
    public BodyDescriptor build() {
        String type = mimeType.isEmpty() ? defaultType : mimeType;
        boolean isUnclear = isAmbiguous || (encodings.size() > 1 && PartHeader.isContainer(type));
        return new PartHeader(
                isUnclear ? PLAIN : type,
                boundary,
                charset,
                encodings.isEmpty() ? TransferEncoding.NONE.toSet() : encodings,
                findBase(),
                List.copyOf(externalUrls),
                name,
                isFile,
                joinsLines,
                isUnclear);
    }

    /// Content-Base takes precedence over Content-Location, and both over the base of the part around this one.
    private String findBase() {
        return !base.isEmpty() ? base : !location.isEmpty() ? location : outerBase;
    }

    /// Whether [#addField(RawField)] may use the field.
    static boolean mayUse(RecycledByteArrayBuffer raw, int nameLength) {
        return BoundedFieldBuilder.isNamed(raw, nameLength, "content-");
    }

    /// @return null, so that the parser passes the field on as it is
    @Override
    public @Nullable Field addField(RawField field) {
        switch (field.getNameLowerCase()) {
            case "content-type" -> readContentType(RawFieldParser.DEFAULT.parseRawBody(field));
            case "content-disposition" -> readDisposition(RawFieldParser.DEFAULT.parseRawBody(field));
            case "content-transfer-encoding" ->
                addEncodings(TransferEncoding.parse(field.getBody() == null ? "" : field.getBody()));
            case "content-base" -> base = parseUrl(field);
            case "content-location" -> location = parseUrl(field);
            default -> {}
        }
        return null;
    }

    private void readContentType(RawBody body) {
        List<NameValuePair> parameters = body.getParams();
        addFileName(FieldParameter.findText(parameters, "name"));
        String type = parseType(body.getValue());
        String newBoundary = FieldParameter.find(parameters, "boundary");
        boolean isMultipart = type.startsWith("multipart/");
        if (type.equals(EXTERNAL_BODY)) {
            addExternalUrls(parameters);
        }
        if (!mimeType.isEmpty()) {
            readSecondContentType(type, newBoundary);
            return;
        }
        isAmbiguous |= isMultipart && (newBoundary.isEmpty() || hasDifferentValues(parameters, "boundary"));
        if (!isMultipart || !newBoundary.isEmpty()) {
            mimeType = type;
            boundary = isMultipart ? newBoundary : "";
        }
        charset = TextForms.lowerCase(FieldParameter.find(parameters, "charset"));
        joinsLines = FieldParameter.find(parameters, "format").equalsIgnoreCase("flowed")
                && FieldParameter.find(parameters, "delsp").equalsIgnoreCase("yes");
    }

    /// Adds the URLs of an external body. Blanks in them are ignored, because a URL may be folded anywhere (RFC
    /// 2017, 3.1).
    private void addExternalUrls(List<NameValuePair> parameters) {
        if (externalUrls.size() >= MAX_EXTERNAL_URLS) {
            isAmbiguous = true;
            return;
        }
        String url = TextScan.without(FieldParameter.find(parameters, "url"), TextScan::isBlank);
        String site = FieldParameter.find(parameters, "site");
        if (!url.isEmpty()) {
            externalUrls.add(url);
        }
        if (!site.isEmpty()) {
            String folder = FieldParameter.find(parameters, "directory");
            externalUrls.add("ftp://" + site + '/' + folder + '/' + FieldParameter.find(parameters, "name"));
        }
    }

    /// Handles a second Content-Type, which some clients use: HTML takes precedence over text, and the parts
    /// may be separated by either boundary.
    private void readSecondContentType(String type, String newBoundary) {
        if (mimeType.startsWith("text/") && type.contains("html")) {
            mimeType = type;
        }
        isAmbiguous |= type.startsWith("multipart/") && !newBoundary.equals(boundary);
        isAmbiguous |= type.equals(EXTERNAL_BODY) && PartHeader.isContainer(mimeType);
    }

    /// Adds the encodings of a field: some programs use the first field, others the last.
    private void addEncodings(Set<TransferEncoding> newEncodings) {
        if (encodings.isEmpty()) {
            encodings = newEncodings;
        } else if (!encodings.containsAll(newEncodings)) {
            Set<TransferEncoding> all = EnumSet.copyOf(encodings);
            all.addAll(newEncodings);
            encodings = all;
        }
    }

    private static boolean hasDifferentValues(List<NameValuePair> parameters, String name) {
        return parameters.stream()
                        .filter(parameter -> name.equalsIgnoreCase(parameter.getName()))
                        .map(NameValuePair::getValue)
                        .distinct()
                        .count()
                > 1;
    }

    private void addFileName(String fileName) {
        isFile |= !fileName.isEmpty();
        name = name.isEmpty() ? fileName : name;
    }

    /// `type/subtype` in lower case, up to the first character that no type has; empty if it does not have that
    /// form.
    private static String parseType(@Nullable String value) {
        String type = value == null ? "" : TextForms.lowerCase(value);
        int slash = type.indexOf('/');
        String media = slash < 0 ? "" : type.substring(0, slash).strip();
        String sub = type.substring(slash + 1).strip();
        int end = 0;
        while (end < sub.length() && sub.charAt(end) > ' ' && sub.charAt(end) != ',') {
            end++;
        }
        String whole = media.isEmpty() || end == 0 ? "" : media + '/' + sub.substring(0, end);
        return whole.equals(GLOBAL_MESSAGE) ? MESSAGE : whole;
    }

    private void readDisposition(RawBody body) {
        isFile |= "attachment".equalsIgnoreCase(body.getValue());
        String fileName = FieldParameter.findText(body.getParams(), "filename");
        isFile |= !fileName.isEmpty();
        name = fileName.isEmpty() ? name : fileName;
    }

    /// Returns the absolute URL in a field, which may be folded and in quotes; empty if it is relative.
    private static String parseUrl(RawField field) {
        String url = field.getBody() == null
                ? ""
                : TextScan.without(field.getBody(), c -> TextScan.isBlank(c) || "\"<>".indexOf(c) >= 0);
        return RelativeLink.isAbsolute(url) ? url : "";
    }
}
