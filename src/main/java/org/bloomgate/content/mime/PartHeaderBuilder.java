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

/// Reads the Content fields of a part for the parser, which would know neither RFC 2231 nor `base64 (x)`. The
/// first field of a name counts, of transfer encodings each; a multipart without a boundary, or with two, is no
/// multipart for the parser, nor is a multipart or message with several encodings.
final class PartHeaderBuilder implements BodyDescriptorBuilder {
    private static final String PLAIN = "text/plain";
    private static final String MESSAGE = "message/rfc822";

    /// A message with UTF-8 in its header (RFC 6532, 3.7) is read like any other.
    private static final String GLOBAL = "message/global";

    private static final String EXTERNAL = "message/external-body";

    /// URLs of one part, or one more, that are kept: with further fields of them it is ambiguous, the limit
    /// `mime`.
    static final int MAX_ELSEWHERE = 16;

    /// RFC 2046, 5.1.5: parts of a digest are messages.
    private static final String DIGEST = "multipart/digest";

    private final String unnamedType;
    private String mimeType = "";
    private String boundary = "";
    private String charset = "";
    private boolean joinsLines;
    private Set<TransferEncoding> encodings = Set.of();
    private final String outerBase;
    private String base = "";
    private String location = "";
    private final List<String> remoteEntries = new ArrayList<>();
    private String name = "";
    private boolean file;
    private boolean ambiguous;

    PartHeaderBuilder() {
        this(PLAIN, "");
    }

    private PartHeaderBuilder(String unnamedType, String outerBase) {
        this.unnamedType = unnamedType;
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
        remoteEntries.clear();
        name = "";
        file = false;
        ambiguous = false;
    }

    @Override
    public BodyDescriptorBuilder newChild() {
        return new PartHeaderBuilder(mimeType.equals(DIGEST) ? MESSAGE : PLAIN, base());
    }

    @Override
    public BodyDescriptor build() {
        String type = mimeType.isEmpty() ? unnamedType : mimeType;
        boolean torn = ambiguous || (encodings.size() > 1 && PartHeader.isContainer(type));
        return new PartHeader(
                torn ? PLAIN : type,
                boundary,
                charset,
                encodings.isEmpty() ? TransferEncoding.NONE.alone() : encodings,
                base(),
                List.copyOf(remoteEntries),
                name,
                file,
                joinsLines,
                torn);
    }

    /// Content-Base takes precedence over Content-Location, both before what holds for the whole message.
    private String base() {
        return !base.isEmpty() ? base : !location.isEmpty() ? location : outerBase;
    }

    /// True for the fields that [#addField(RawField)] may take something from.
    static boolean reads(RecycledByteArrayBuffer raw, int nameLength) {
        return BoundedFieldBuilder.isNamed(raw, nameLength, "content-");
    }

    /// @return null: the field is handed on as it is
    @Override
    public @Nullable Field addField(RawField field) {
        switch (field.getNameLowerCase()) {
            case "content-type" -> contentType(RawFieldParser.DEFAULT.parseRawBody(field));
            case "content-disposition" -> disposition(RawFieldParser.DEFAULT.parseRawBody(field));
            case "content-transfer-encoding" ->
                encoded(TransferEncoding.of(field.getBody() == null ? "" : field.getBody()));
            case "content-base" -> base = location(field);
            case "content-location" -> location = location(field);
            default -> {}
        }
        return null;
    }

    private void contentType(RawBody body) {
        List<NameValuePair> parameters = body.getParams();
        named(FieldParameter.of(parameters, "name"));
        String type = type(body.getValue());
        String found = FieldParameter.of(parameters, "boundary");
        boolean multipart = type.startsWith("multipart/");
        if (type.equals(EXTERNAL)) {
            remoteEntries(parameters);
        }
        if (!mimeType.isEmpty()) {
            again(type, found);
            return;
        }
        ambiguous |= multipart && (found.isEmpty() || differ(parameters, "boundary"));
        if (!multipart || !found.isEmpty()) {
            mimeType = type;
            boundary = multipart ? found : "";
        }
        charset = TextForms.lowerCase(FieldParameter.of(parameters, "charset"));
        joinsLines = FieldParameter.of(parameters, "format").equalsIgnoreCase("flowed")
                && FieldParameter.of(parameters, "delsp").equalsIgnoreCase("yes");
    }

    /// Blanks do not count, as the URL may be folded anywhere (RFC 2017, 3.1).
    private void remoteEntries(List<NameValuePair> parameters) {
        if (remoteEntries.size() >= MAX_ELSEWHERE) {
            ambiguous = true;
            return;
        }
        String url = TextScan.without(FieldParameter.of(parameters, "url"), TextScan::isBlank);
        String site = FieldParameter.of(parameters, "site");
        if (!url.isEmpty()) {
            remoteEntries.add(url);
        }
        if (!site.isEmpty()) {
            String folder = FieldParameter.of(parameters, "directory");
            remoteEntries.add("ftp://" + site + '/' + folder + '/' + FieldParameter.of(parameters, "name"));
        }
    }

    /// A second field: some clients believe it. HTML takes precedence over text, and parts may be by either
    /// boundary.
    private void again(String type, String found) {
        if (mimeType.startsWith("text/") && type.contains("html")) {
            mimeType = type;
        }
        ambiguous |= type.startsWith("multipart/") && !found.equals(boundary);
        ambiguous |= type.equals(EXTERNAL) && PartHeader.isContainer(mimeType);
    }

    /// Programs believe the first field or the last.
    private void encoded(Set<TransferEncoding> found) {
        if (encodings.isEmpty()) {
            encodings = found;
        } else if (!encodings.containsAll(found)) {
            Set<TransferEncoding> all = EnumSet.copyOf(encodings);
            all.addAll(found);
            encodings = all;
        }
    }

    private static boolean differ(List<NameValuePair> parameters, String name) {
        return parameters.stream()
                        .filter(parameter -> name.equalsIgnoreCase(parameter.getName()))
                        .map(NameValuePair::getValue)
                        .distinct()
                        .count()
                > 1;
    }

    private void named(String found) {
        file |= !found.isEmpty();
        name = name.isEmpty() ? found : name;
    }

    /// `type/subtype` in lower case, up to what no type holds; empty when it is not of that form.
    private static String type(@Nullable String value) {
        String type = value == null ? "" : TextForms.lowerCase(value);
        int slash = type.indexOf('/');
        String media = slash < 0 ? "" : type.substring(0, slash).strip();
        String sub = type.substring(slash + 1).strip();
        int end = 0;
        while (end < sub.length() && sub.charAt(end) > ' ' && sub.charAt(end) != ',') {
            end++;
        }
        String whole = media.isEmpty() || end == 0 ? "" : media + '/' + sub.substring(0, end);
        return whole.equals(GLOBAL) ? MESSAGE : whole;
    }

    private void disposition(RawBody body) {
        file |= "attachment".equalsIgnoreCase(body.getValue());
        String found = FieldParameter.of(body.getParams(), "filename");
        file |= !found.isEmpty();
        name = found.isEmpty() ? name : found;
    }

    /// An absolute URL, which may be folded and in quotes; empty when it is relative.
    private static String location(RawField field) {
        String found = field.getBody() == null
                ? ""
                : TextScan.without(field.getBody(), c -> TextScan.isBlank(c) || "\"<>".indexOf(c) >= 0);
        return RelativeLink.isAbsolute(found) ? found : "";
    }
}
