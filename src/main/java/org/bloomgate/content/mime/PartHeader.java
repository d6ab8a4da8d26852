package org.bloomgate.content.mime;

import java.util.List;
import java.util.Set;
import org.apache.james.mime4j.stream.BodyDescriptor;
import org.apache.james.mime4j.util.MimeUtil;

/// What the header of a part says of its content.
///
/// @param mimeType type and subtype in lower case
/// @param boundary of a multipart, else empty
/// @param charset as declared, in lower case, or empty
/// @param encodings of its content: more than one where programs differ
/// @param base what relative links in it are relative to (RFC 2557 4.2), or empty
/// @param remoteEntries URLs that the content is to be had from (RFC 2046, 5.2.3; RFC 2017)
/// @param name of the file that the content is, or empty
/// @param file true when the content is meant to be saved rather than shown
/// @param joinsLines true for text whose lines may be joined without a blank (RFC 3676, `delsp=yes`)
/// @param ambiguous true when programs differ in where its parts are, or whether it has any
record PartHeader(
        String mimeType,
        String boundary,
        String charset,
        Set<TransferEncoding> encodings,
        String base,
        List<String> remoteEntries,
        String name,
        boolean file,
        boolean joinsLines,
        boolean ambiguous)
        implements BodyDescriptor {
    /// Of a file in another one.
    static PartHeader ofFile(String name) {
        return new PartHeader(
                "application/octet-stream",
                "",
                "",
                TransferEncoding.NONE.alone(),
                "",
                List.of(),
                name,
                true,
                false,
                false);
    }

    /// The same with the charset left to the content.
    PartHeader withoutCharset() {
        return new PartHeader(
                mimeType, boundary, "", encodings, base, remoteEntries, name, file, joinsLines, ambiguous);
    }

    /// The first of them.
    TransferEncoding encoding() {
        return encodings.iterator().next();
    }

    /// True for what holds parts of its own.
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
        return encoding().label();
    }

    /// Never believed.
    @Override
    public long getContentLength() {
        return -1;
    }
}
