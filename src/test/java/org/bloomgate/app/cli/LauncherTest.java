package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher in a checkout that is built, with a Java and a Maven that only say what they are asked.
class LauncherTest {
    @TempDir
    Path home;

    private Path mavenWasAsked;

    @BeforeEach
    void checkout() throws IOException {
        Files.copy(Path.of("bloomgate"), home.resolve("bloomgate"));
        Files.createDirectories(home.resolve("src/main"));
        Files.createDirectories(home.resolve("src/spark"));
        Files.writeString(home.resolve("pom.xml"), "");
        Path jar = Files.createDirectories(home.resolve("target")).resolve("bloomgate.jar");
        Files.setLastModifiedTime(
                Files.writeString(jar, ""), FileTime.from(Instant.now().plusSeconds(60)));
        Files.createDirectories(home.resolve("jdk"));
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        mavenWasAsked = home.resolve("maven-was-asked");
        program("jdk/bin/java", "echo \"$@\"");
        program("bin/mvn", "touch '" + mavenWasAsked + "'; exit 1");
    }

    private void program(String name, String does) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + does + "\n");
        assertTrue(file.toFile().setExecutable(true));
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        List<String> line =
                new ArrayList<>(List.of("sh", home.resolve("bloomgate").toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder launcher = new ProcessBuilder(line).redirectErrorStream(true);
        launcher.environment().remove("SUDO_USER");
        launcher.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        launcher.environment().merge("PATH", home.resolve("bin").toString(), (path, ours) -> ours + ":" + path);
        Process process = launcher.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    @Test
    void whatACommandWritesIsForItsOwnerAlone() throws Exception {
        program("jdk/bin/java", "umask");
        assertTrue(run("status").strip().endsWith("077"));
    }

    @Test
    void servers_refuseRenegotiationByClients() throws Exception {
        for (String command : List.of("gateway", "lookup")) {
            String said = run(command);
            assertTrue(said.contains(" -Djdk.tls.rejectClientInitiatedRenegotiation=true "), said);
        }
    }

    @Test
    void theHelpOfSparkNeedsNoBuildWithSpark() throws Exception {
        for (String option : List.of("--help", "-h")) {
            String said = run("spark", option);
            assertTrue(said.endsWith("-jar " + home.resolve("target/bloomgate.jar") + " spark " + option + "\n"), said);
            assertFalse(Files.exists(mavenWasAsked), said);
        }
    }

    /// The folders of the package, below a root that owns none of its state.
    @Test
    void packageStartedByRoot_continuesAsTheOwnerOfTheState() throws Exception {
        Files.delete(home.resolve("pom.xml"));
        Files.writeString(home.resolve("bloomgate.jar"), "");
        program("runtime/bin/java", "echo java");
        program("bin/id", "[ \"$1\" = -u ] && echo 0 || echo 107");
        program("bin/stat", "echo bloomgate");
        program("bin/setpriv", "echo setpriv \"$@\"");
        String asOwner = "setpriv --reuid=bloomgate --regid=107 --init-groups -- " + home.resolve("bloomgate") + " ";
        assertEquals(asOwner + "listing add domain x.example\n", run("listing", "add", "domain", "x.example"));
        assertEquals(asOwner + "feeds test x\n", run("feeds", "test", "x"));
        assertEquals("java\n", run("config", "check"));
        assertEquals("java\n", run("feeds", "report"));
        assertEquals("java\n", run("--version"));
        program("runtime/bin/java", "umask");
        assertTrue(run("feeds", "add", "x").strip().endsWith("027"), "the group of feeds.d reads it");
        program("runtime/bin/java", "echo java");
        program("bin/id", "echo 1000");
        assertEquals("java\n", run("listing", "list"));
    }

    /// `sudo` names the person, and otherwise the login; where neither is known, root remains.
    @Test
    void commandOfRoot_namesThePerson() throws Exception {
        program("bin/id", "[ \"$1\" = -u ] && echo 0 || echo 107");
        program("jdk/bin/java", "echo \"by $SUDO_USER\"");
        program("bin/logname", "echo ada");
        assertEquals("by ada\n", run("listing", "list"));
        program("bin/logname", "exit 1");
        assertEquals("by root\n", run("listing", "list"));
        program("bin/id", "echo 1000");
        assertEquals("by \n", run("listing", "list"));
    }

    @Test
    void build_namesItsStepsAndErrors() throws Exception {
        Files.delete(home.resolve("target/bloomgate.jar"));
        program("bin/mvn", """
            echo '[INFO] Downloading from central: https://repo.maven.apache.org/a.pom'
            echo '[INFO] Downloading from central: https://repo.maven.apache.org/a.jar'
            echo '[INFO] --- compiler:3.14.0:compile (default-compile) @ bloomgate ---'
            echo '[INFO] --- maven-jar-plugin:3.4.2:jar (default-jar) @ bloomgate ---'
            echo '[ERROR] no space left'
            exit 1
            """);
        assertEquals(
                List.of(
                        "bloomgate: building (once, a minute or two the first time)",
                        "bloomgate: build: downloading libraries",
                        "bloomgate: build: compiling",
                        "bloomgate: build: packaging",
                        "[ERROR] no space left",
                        "bloomgate: the build failed; 'mvn -Dmaven.test.skip=true package' in " + home + " shows why"),
                run("status").lines().toList());
    }

    @Test
    void sparkItselfIsBuilt() throws Exception {
        String said = run("spark", "--runs", "runs");
        assertTrue(Files.exists(mavenWasAsked), said);
        assertEquals(
                "bloomgate: building with Spark (once, some minutes the first time)",
                said.lines().findFirst().orElse(""));
    }
}
