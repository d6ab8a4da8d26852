package org.bloomgate.message;

import java.util.List;
import java.util.Locale;
import org.apache.james.mime4j.stream.BodyDescriptor;
import org.apache.james.mime4j.stream.BodyDescriptorBuilder;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.NameValuePair;
import org.apache.james.mime4j.stream.RawBody;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.apache.james.mime4j.util.RecycledByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/// Reads the Content fields of a part for the parser, which would know neither RFC 2231 nor `base64 (x)`. The first
/// field of a name counts; a multipart without boundary is no multipart.
final class PartHeaderBuilder implements BodyDescriptorBuilder {
    private static final String PLAIN = "text/plain";
    private static final String MESSAGE = "message/rfc822";

    /// A message with UTF-8 in its header (RFC 6532, 3.7) is read like any other.
    private static final String GLOBAL = "message/global";

    /// RFC 2046, 5.1.5: parts of a digest are messages.
    private static final String DIGEST = "multipart/digest";

    private final String unnamedType;
    private String mimeType = "";
    private String boundary = "";
    private String charset = "";
    private String transferEncoding = "";
    private final String outerBase;
    private String base = "";
    private String location = "";
    private boolean file;

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
        transferEncoding = "";
        base = "";
        location = "";
        file = false;
    }

    @Override
    public BodyDescriptorBuilder newChild() {
        return new PartHeaderBuilder(mimeType.equals(DIGEST) ? MESSAGE : PLAIN, base());
    }

    @Override
    public BodyDescriptor build() {
        return new PartHeader(
                mimeType.isEmpty() ? unnamedType : mimeType,
                boundary,
                charset,
                transferEncoding.isEmpty() ? "7bit" : transferEncoding,
                base(),
                file);
    }

    /// Content-Base goes before Content-Location, both before what holds for the whole message.
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
            case "content-transfer-encoding" -> {
                if (transferEncoding.isEmpty()) {
                    transferEncoding = token(field.getBody());
                }
            }
            case "content-base" -> base = location(field);
            case "content-location" -> location = location(field);
            default -> {}
        }
        return null;
    }

    private void contentType(RawBody body) {
        List<NameValuePair> parameters = body.getParams();
        file |= !FieldParameter.of(parameters, "name").isEmpty();
        if (!mimeType.isEmpty()) {
            return;
        }
        String type = type(body.getValue());
        String found = FieldParameter.of(parameters, "boundary");
        boolean multipart = type.startsWith("multipart/");
        if (!multipart || !found.isEmpty()) {
            mimeType = type;
            boundary = multipart ? found : "";
        }
        charset = FieldParameter.of(parameters, "charset").toLowerCase(Locale.ROOT);
    }

    /// `type/subtype` in lower case; empty when it is not of that form.
    private static String type(@Nullable String value) {
        String type = value == null ? "" : value.toLowerCase(Locale.ROOT);
        int slash = type.indexOf('/');
        String media = slash < 0 ? "" : type.substring(0, slash).strip();
        String sub = type.substring(slash + 1).strip();
        String whole = media.isEmpty() || sub.isEmpty() ? "" : media + '/' + sub;
        return whole.equals(GLOBAL) ? MESSAGE : whole;
    }

    private void disposition(RawBody body) {
        file |= "attachment".equalsIgnoreCase(body.getValue())
                || !FieldParameter.of(body.getParams(), "filename").isEmpty();
    }

    /// An absolute URL, which may be folded and in quotes; empty when it is relative.
    private static String location(RawField field) {
        String found = field.getBody() == null ? "" : field.getBody().replaceAll("[\\s\"<>]", "");
        return RelativeLink.isAbsolute(found) ? found : "";
    }

    /// The first word, in lower case, whatever follows it.
    private static String token(@Nullable String value) {
        String text = value == null ? "" : value.strip().toLowerCase(Locale.ROOT);
        int from = text.startsWith("\"") ? 1 : 0;
        int to = from;
        while (to < text.length() && (Character.isLetterOrDigit(text.charAt(to)) || text.charAt(to) == '-')) {
            to++;
        }
        return text.substring(from, to);
    }
}
