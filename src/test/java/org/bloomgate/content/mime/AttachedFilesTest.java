package org.bloomgate.content.mime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.util.Base64;
import java.util.Set;
import org.bloomgate.content.archive.CompoundFile;
import org.bloomgate.content.archive.CompoundWriter;
import org.bloomgate.content.archive.Zips;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files as mail carries them, by name and bytes, whatever their type is called.
class AttachedFilesTest {
    private static final String PAGE = "<p><a href='//evil.example/x'>x</a></p>";

    private static ReadMessage read(String type, String name, byte[] content) {
        String header = "Content-Type: " + type + "; name=\"" + name + "\"\r\n"
                + "Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n";
        return ReadMessage.withoutFault(
                (header + Base64.getMimeEncoder().encodeToString(content)).getBytes(ISO_8859_1));
    }

    private static ReadMessage read(String name, String content) {
        return read("application/octet-stream", name, content.getBytes(ISO_8859_1));
    }

    private static void found(ReadMessage read, Place place, String... limits) {
        assertTrue(read.holds(place, "evil.example"), () -> place + ": " + read);
        assertEquals(Set.of(limits), read.limits());
    }

    @ParameterizedTest
    @CsvSource({
        "application/octet-stream, x.html",
        "image/png, x",
        "application/vnd.ms-word, x.doc",
        "text/plain, x.htm",
        "application/zip, x.zip",
        "audio/mpeg, x.mp3",
        "text/plain, x.txt"
    })
    void htmlFile_isReadUnderAnyTypeAndName(String type, String name) {
        found(read(type, name, ("see " + PAGE).getBytes(ISO_8859_1)), Place.LINK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Rar!\u001a\u0007x", "7z\u00bc\u00af'\u001cx", "BZh91AY", "\u0001\u0002\u0003\u0004\u0005\u0006"
            })
    void archiveThatCannotBeOpened_isOpaque(String content) {
        assertEquals(Set.of("opaque"), read("x.zip", content).limits());
    }

    @ParameterizedTest
    @ValueSource(strings = {"MSWIM\0\0\0x", "ITSF\u0003\0\0\0x", "\u0004\"M\u0018x", "conectixx"})
    void unsupportedContainer_isOpaque(String content) {
        assertEquals(Set.of("opaque"), read("x.bin", content).limits());
    }

    @ParameterizedTest
    @ValueSource(strings = {"conectix", "koly"})
    void diskImage_isOpaqueByItsTrailer(String trailer) {
        String image = "\0".repeat(2000) + trailer + "\0".repeat(512 - trailer.length());
        assertEquals(Set.of("opaque"), read("x.bin", image).limits());
        assertEquals(Set.of(), read("x.bin", image + "\0").limits());
    }

    @Test
    void rightsManagedMessage_isEncrypted() {
        assertEquals(
                Set.of("encrypted"),
                read("x.bin", "v\u00e8\u0004`\u00c4\u0011\u00e3\u0086xyz").limits());
    }

    @Test
    void flowedLinesWithDelSp_formALink() {
        String flowed =
                "Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\nsee http://evi \r\nl.exam \r\nple/x\r\n";
        assertTrue(ReadMessage.of(flowed.getBytes(ISO_8859_1)).holds(Place.TEXT, "evil.example"));
        String signature = flowed.replace("http://evi ", "http://good.example\r\n-- ");
        assertTrue(ReadMessage.of(signature.getBytes(ISO_8859_1)).holds(Place.TEXT, "good.example"));
    }

    @Test
    void unfoldedBase64OfACalendar_isDecoded() {
        String page = Base64.getEncoder().encodeToString(("<html>" + PAGE).getBytes(ISO_8859_1));
        String calendar = "BEGIN:VCALENDAR\nATTACH;ENCODING=BASE64;VALUE=BINARY:\n" + page.substring(0, 20) + "\n"
                + page.substring(20) + "\nEND:VCALENDAR\n";
        found(read("text/calendar", "x.ics", calendar.getBytes(ISO_8859_1)), Place.LINK);
    }

    @Test
    void returnedHeader_isNoMultipartWithoutParts() {
        String bounce = """
            Content-Type: text/rfc822-headers

            From: a@b.example
            Content-Type: multipart/mixed; boundary=x
            List-Unsubscribe: <http://evil.example/u>
            """.replace("\n", "\r\n");
        ReadMessage read = ReadMessage.of(bounce.getBytes(ISO_8859_1));
        assertEquals(Set.of(), read.limits());
        assertTrue(read.holds(Place.TEXT, "evil.example"));
    }

    @Test
    void returnedHeaderWithABody_isAMessage() {
        String page = Base64.getEncoder().encodeToString(PAGE.getBytes(ISO_8859_1));
        String whole = "Content-Type: text/rfc822-headers\r\n\r\nContent-Type: text/html\r\n"
                + "Content-Transfer-Encoding: base64\r\n\r\n" + page + "\r\n";
        assertTrue(ReadMessage.of(whole.getBytes(ISO_8859_1)).holds(Place.LINK, "evil.example"));
    }

    /// Programs open it by its end.
    @ParameterizedTest
    @ValueSource(strings = {"x.docx", "x.xlsx", "x.bin"})
    void zipBehindOtherBytes_isOpened(String name) {
        byte[] zip = Zips.deflated("x.html", PAGE);
        byte[] lead = new byte[512 + zip.length];
        System.arraycopy(zip, 0, lead, 512, zip.length);
        lead[0] = 1;
        found(read("application/octet-stream", name, lead), Place.LINK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00e4R\\{\u008c\u00d8\u00a7M\u00ae\u00b1Sx", "\u00a1/\u00ffC\u00d9\u00efvL\u009e\u00e2"})
    void textOfANotebook_isReadAsUtf16(String magic) {
        String text = "see http://evil.example/x now".replaceAll("(.)", "$1\0");
        found(read("x.one", magic + "\0".repeat(1008) + text + "\0".repeat(64)), Place.RAW);
    }

    @ParameterizedTest
    @CsvSource({"cp1026, Cp1026", "ibm037, Cp037", "ibm273, IBM273"})
    void ebcdicText_isRead(String name, String charset) {
        found(read("text/html; charset=" + name, "x", PAGE.getBytes(Charset.forName(charset))), Place.LINK);
        found(read("text/html; charset=" + name, "x", PAGE.getBytes(ISO_8859_1)), Place.LINK);
    }

    @Test
    void nestedArchives_areReadToTheBound() {
        byte[] zip = Zips.deflated("x.html", PAGE);
        for (int depth = 1; depth <= Nesting.MAX_ARCHIVES; depth++) {
            found(read("application/zip", "x.zip", zip), Place.LINK);
            zip = Zips.stored("x.zip", zip);
        }
        assertEquals(
                Set.of("archiveDepth"), read("application/zip", "x.zip", zip).limits());
    }

    @Test
    void messageUnderAnotherName_isRead() {
        String message = "Subject: x\r\nFrom: a@b.example\r\nContent-Type: text/html\r\n\r\n" + PAGE;
        found(read("x.dat", message), Place.LINK);
        found(read("message/partial; id=a", "", message.getBytes(ISO_8859_1)), Place.LINK);
    }

    @Test
    void nestedMessages_areReadToTheBound() {
        String message = "Content-Type: text/html\r\n\r\n" + PAGE;
        for (int depth = 1; depth <= Nesting.MAX_LEVEL; depth++) {
            found(read("x.eml", message), Place.LINK);
            message = "Content-Type: application/octet-stream; name=x.eml\r\n\r\n" + message;
        }
        assertTrue(read("x.eml", message).limits().contains("depth"));
    }

    @Test
    void officeRelationsFieldsAndFormulas_areLinks() {
        found(office("a.rels", "<Relationship Target='http://evil.example/x' TargetMode='External'/>"), Place.LINK);
        found(office("a.rels", "<Relationship Target='\\\\evil.example\\x' TargetMode='External'/>"), Place.LINK);
        found(
                office(
                        "a.xml",
                        "<w:p><w:r><w:instrText>HYPER</w:instrText></w:r><w:r><w:instrText>LINK \"http://evil.ex"
                                + "</w:instrText></w:r><w:r><w:instrText>ample/x\"</w:instrText></w:r></w:p>"),
                Place.LINK);
        found(office("a.xml", "<w:fldSimple w:instr=' HYPERLINK &quot;http://evil.example/x&quot;'/>"), Place.LINK);
        found(office("a.xml", "<text:a xlink:href='http://evil.example/'>x</text:a>"), Place.LINK);
        found(
                office("a.xml", "<w:p><w:r><w:t>http://evil.</w:t></w:r><w:r><w:t>example/x</w:t></w:r></w:p>"),
                Place.TEXT);
        found(office("a.xml", "<vt:lpwstr>http://evil.example/</vt:lpwstr>"), Place.TEXT);
    }

    private static ReadMessage office(String name, String xml) {
        return read("application/zip", "x.docx", Zips.deflated(name, "<?xml version='1.0'?>" + xml));
    }

    @Test
    void entitiesOfAnOfficePart_areExpanded() {
        String declared = "<!DOCTYPE x [<!ENTITY a 'http://evil.example/'><!ENTITY b '&a;&a;&a;'>]><x>&b;</x>";
        found(office("a.xml", declared), Place.TEXT);
    }

    @Test
    void richTextFieldsAndText_areRead() {
        found(read("x.doc", "{\\rtf1{\\field{\\*\\fldinst HYPERLINK \"http://evil{\\b }.exa\\'6dple\"}}}"), Place.LINK);
        found(read("x.rtf", "{\\rtf1{\\*\\fldinst HYPERLINK \"http://\\u101?vil.example\"}}"), Place.LINK);
        found(read("x.rtf", "{\\rtf1 http://ev{\\i il}.example/ }"), Place.TEXT);
        found(read("x.rtf", "{\\rtf1{\\*\\fldinst HYPERLINK \"http://ev{\\*\\bkmkstart b}il.example\"}}"), Place.LINK);
        found(read("x.rtf", "{\\rtf1{\\uc9 x}{\\*\\fldinst HYPERLINK \"http://\\u101?vil.example\"}}"), Place.LINK);
        found(read("x.rtf", "{\\rtf1{\\*\\unknown http://evil.example/}}"), Place.TEXT);
        found(read("x.rtf", "{\\rtf1{\\object{\\*\\objdata 687474703a2f2f6576696c2e6578616d706c652f00}}}"), Place.TEXT);
    }

    @Test
    void calendarOrCard_isUnfoldedAndDecoded() {
        found(calendar("URL:http://evil.exa\r\n mple/x"), Place.TEXT);
        found(calendar("DESCRIPTION:see\\nhttp://evil.example/\\nthere"), Place.TEXT);
        found(calendar("X-ALT-DESC;FMTTYPE=text/html:<a href=\"//evil.example\">x</a>"), Place.LINK);
        found(calendar("DESCRIPTION;FMTTYPE=\"text/html\":<a href=\"//evil.example\">x</a>"), Place.LINK);
        found(calendar("DESCRIPTION;X=\"ENCODING=BASE64\":http://evil.example/"), Place.TEXT);
        String page = Base64.getEncoder().encodeToString(PAGE.getBytes(ISO_8859_1));
        found(calendar("ATTACH;ENCODING=\"BASE64\":" + page), Place.LINK);
        found(calendar("PHOTO;BASE64:" + page), Place.LINK);
        found(calendar("ATTACH;ENCODING=BASE64;VALUE=BINARY:" + page), Place.LINK);
        String card = "BEGIN:VCARD\r\nNOTE;ENCODING=QUOTED-PRINTABLE:http=3A//evil=\r\n.example/x\r\nEND:VCARD";
        found(read("x.vcf", card), Place.TEXT);
    }

    private static ReadMessage calendar(String line) {
        return read("x", "BEGIN:VCALENDAR\r\n" + line + "\r\nEND:VCALENDAR\r\n");
    }

    @Test
    void binaryOfficeDocument_isScannedInBothWidths() {
        String wide = "\1\2\3h\0t\0t\0p\0:\0/\0/\0e\0v\0i\0l\0.\0e\0x\0a\0m\0p\0l\0e\0/\0\1\1";
        found(read("x.doc", compound("Data", wide)), Place.RAW);
        found(read("x.xls", compound("Data", "\1\2\3http://evil.example/\1\1")), Place.RAW);
        found(read("x.xls", CompoundFile.MAGIC + "\1\2\3http://evil.example/\1\1"), Place.RAW, "opaque");
        assertEquals(Set.of("opaque"), read("x.xls", CompoundFile.MAGIC).limits());
        assertEquals(
                Set.of("opaque"),
                read("x.docx", compound("EncryptedPackage", "x")).limits());
    }

    private static String compound(String... pathsAndContents) {
        CompoundWriter writer = new CompoundWriter();
        for (int i = 0; i < pathsAndContents.length; i += 2) {
            writer.add(pathsAndContents[i], pathsAndContents[i + 1]);
        }
        return new String(writer.write(), ISO_8859_1);
    }

    private static String wide(String text) {
        return new String(text.getBytes(UTF_16LE), ISO_8859_1);
    }

    @Test
    void messageOfOutlook_isReadByItsProperties() {
        String attached = "__attach_version1.0_#00000000/__substg1.0_";
        found(message("__substg1.0_1000001E", "http://evil.example/"), Place.TEXT);
        found(message("__substg1.0_1000001F", wide("see http://evil.example/x")), Place.TEXT);
        found(message("__substg1.0_10130102", PAGE), Place.LINK);
        found(message("__substg1.0_1013001F", wide(PAGE)), Place.LINK);
        found(message(attached + "37010102", PAGE, attached + "3707001F", wide("a.html")), Place.LINK);
        found(message(attached + "3701000D/__substg1.0_10130102", PAGE), Place.LINK);
        found(message(attached + "3708001E", "\\\\evil.example\\share\\x"), Place.LINK);
        found(message("__substg1.0_8001001F", wide("\\\\evil.example\\share\\x.wav")), Place.LINK);
        found(message("__substg1.0_0C1F001E", "/o=x/cn=y", "__substg1.0_5D01001E", "a@evil.example"), Place.TEXT);
        found(
                message("__substg1.0_007D001E", "Reply-To: a@evil.example\r\nContent-Type: multipart/mixed\r\n"),
                Place.TEXT);
    }

    @Test
    void fileInsertedAsAnObject_isReadByItsName() {
        String script = "location=atob('aHR0cDovL2V2aWwuZXhhbXBsZS94')";
        String inserted =
                "\0\0\0\0\2\0a.js\0C:\\a.js\0\0\0\3\0\5\0\0\0C:\\a\0" + (char) script.length() + "\0\0\0" + script;
        found(read("x.bin", compound("\1Ole10Native", inserted)), Place.SCRIPT_ATTACHMENT);
        found(read("x.bin", compound("s/\1Ole10Native", "\0\0\0\0" + PAGE)), Place.RAW);
        for (int cut = 0; cut < inserted.length(); cut++) {
            ReadMessage read = read("x.bin", compound("\1Ole10Native", inserted.substring(0, cut)));
            assertEquals(Set.of(), read.limits());
        }
    }

    private static ReadMessage message(String... pathsAndContents) {
        ReadMessage read = read("x.msg", compound(pathsAndContents));
        assertEquals(Set.of(), read.limits());
        return read;
    }

    @Test
    void uuencodedFileInText_isRead() {
        String encoded = "begin 644 a.html\r\n:/&$@:')E9CTG+R]E=FEL+F5X86UP;&4O)SX \r\n`\r\nend\r\n";
        found(ReadMessage.text("hello\r\n" + encoded), Place.LINK);
        found(
                ReadMessage.of(("Content-Type: text/html\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n" + encoded)
                        .getBytes(ISO_8859_1)),
                Place.LINK);
    }

    @Test
    void encryptedMessage_isNamed() {
        String pgp = "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n-----END PGP MESSAGE-----\r\n";
        assertEquals(Set.of("encrypted"), ReadMessage.text(pgp).limits());
    }
}
