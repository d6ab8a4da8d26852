package org.bloomgate.content.mime;

import java.util.List;
import java.util.Set;
import org.apache.james.mime4j.stream.BodyDescriptor;
import org.apache.james.mime4j.util.MimeUtil;

/// The header of a part, as far as it describes the content.
///
/// @param mimeType type and subtype in lower case
/// @param boundary of a multipart; otherwise empty
/// @param charset as declared, in lower case; empty if it is not declared
/// @param encodings the possible transfer encodings of the content: more than one where programs differ
/// @param base the base of relative links in the content (RFC 2557 4.2); may be empty
/// @param externalUrls URLs of the external body (RFC 2046, 5.2.3; RFC 2017)
/// @param name the file name; empty if there is none
/// @param isFile whether the content is meant to be saved rather than shown
/// @param joinsLines whether the lines of a text may be joined without a blank (RFC 3676, `delsp=yes`)
/// @param isAmbiguous whether programs find different parts in the content
record PartHeader(
        String mimeType,
        String boundary,
        String charset,
        Set<TransferEncoding> encodings,
        String base,
        List<String> externalUrls,
        String name,
        boolean isFile,
        boolean joinsLines,
        boolean isAmbiguous)
        implements BodyDescriptor {
    /// Returns the header of a file inside another file.
    static PartHeader ofFile(String name) {
        return new PartHeader(
                "application/octet-stream",
                "",
                "",
                TransferEncoding.NONE.toSet(),
                "",
                List.of(),
                name,
                true,
                false,
                false);
    }

    /// The same header without the charset, so that it is determined by the content.
    PartHeader withoutCharset() {
        return new PartHeader(
                mimeType, boundary, "", encodings, base, externalUrls, name, isFile, joinsLines, isAmbiguous);
    }

    /// The first of the possible encodings.
    TransferEncoding firstEncoding() {
        return encodings.iterator().next();
    }

    /// Whether the content consists of parts: a multipart or a message.
    boolean isContainer() {
        return isContainer(mimeType);
    }

    static boolean isContainer(String mimeType) {
        return MimeUtil.isMultipart(mimeType) || MimeUtil.isMessage(mimeType);
    }

    @Override
    public String getMimeType() {
        return mimeType;
    }

    @Override
    public String getMediaType() {
        return mimeType.substring(0, mimeType.indexOf('/'));
    }

    @Override
    public String getSubType() {
        return mimeType.substring(mimeType.indexOf('/') + 1);
    }

    @Override
    public String getBoundary() {
        return boundary;
    }

    @Override
    public String getCharset() {
        return charset;
    }

    @Override
    public String getTransferEncoding() {
        return firstEncoding().label();
    }

    /// Unknown: the length that a header states is not trusted.
    @Override
    public long getContentLength() {
        return -1;
    }
}
