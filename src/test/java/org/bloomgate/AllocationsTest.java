package org.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.bloomgate.content.mime.MessageReader;
import org.junit.jupiter.api.Test;

/// Memory of a size that is not a constant, where strangers' messages are read. `allocations/kept.tsv` names each
/// place, how often it allocates and what bounds it: heap that was paid for before, or a size that a message cannot
/// steer. ArchUnit does not see arrays, so the class files are read.
class AllocationsTest {
    private static final String ROOT = "org.bloomgate.";

    /// Begins the name of a method made of a lambda, which ends with its number.
    private static final String LAMBDA = "lambda$";

    /// Constructors with a size or with what they copy, by their class.
    private static final Set<String> SIZED = Set.of(
            "java.lang.StringBuilder",
            "java.util.ArrayList",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.ArrayDeque",
            "java.util.BitSet",
            "java.io.ByteArrayOutputStream",
            "java.awt.image.BufferedImage",
            "com.google.zxing.common.BitMatrix",
            "com.google.zxing.common.BitArray");

    /// Methods that return a new array, buffer or text as long as what they are called on or with.
    private static final Set<String> COPIES = Set.of(
            "readAllBytes",
            "readNBytes",
            "copyOf",
            "copyOfRange",
            "toByteArray",
            "allocate",
            "allocateDirect",
            "repeat",
            "createCompatibleWritableRaster",
            "createWritableRaster",
            "createInterleavedRaster");

    /// What copies a collection that is there, as references.
    private static final Set<String> COLLECTIONS = Set.of("List", "Set", "Map", "EnumSet");

    /// @param place the class and the method, which has its lambdas too; constants of a class are made once
    /// @param what is allocated
    private record Allocation(String place, String what) {}

    private static final Comparator<Allocation> ORDER =
            Comparator.comparing(Allocation::place).thenComparing(Allocation::what);

    private record Kept(Allocation allocation, int times, String reason) {
        private static Kept of(String... columns) {
            return new Kept(new Allocation(columns[0], columns[1]), Integer.parseInt(columns[2]), columns[3]);
        }
    }

    private static List<Kept> kept() throws IOException {
        return KeptTable.rows("/allocations/kept.tsv").stream().map(Kept::of).toList();
    }

    @Test
    void memoryOfVariableSize_isInTheTable() throws IOException, URISyntaxException {
        StringBuilder expected = new StringBuilder();
        for (Kept kept : kept()) {
            assertFalse(kept.reason.isBlank(), kept.allocation.place);
            append(expected, kept.allocation, kept.times);
        }
        StringBuilder actual = new StringBuilder();
        found().forEach((allocation, times) -> append(actual, allocation, times));
        assertEquals(expected.toString(), actual.toString());
    }

    @Test
    void eachKind_isNoticed() throws IOException {
        Map<Allocation, Integer> found = new TreeMap<>(ORDER);
        try (InputStream in = Sample.class.getResourceAsStream("AllocationsTest$Sample.class")) {
            count(ClassFile.of().parse(in.readAllBytes()), found);
        }
        String place = "AllocationsTest$Sample.";
        assertEquals(
                Map.of(
                        new Allocation(place + "arrays", "byte[]"), 1,
                        new Allocation(place + "arrays", "String[]"), 1,
                        new Allocation(place + "arrays", "int[][]"), 1,
                        new Allocation(place + "lambdas", "int[]"), 2,
                        new Allocation(place + "copies", "ArrayList"), 1,
                        new Allocation(place + "copies", "String.repeat"), 1),
                found);
    }

    @SuppressWarnings("unused")
    private static final class Sample {
        private static Object arrays(int n) {
            return List.of(new byte[n], new String[n], new int[n][3], new byte[3], new int[2][3]);
        }

        private static Object lambdas() {
            IntFunction<int[]> reference = int[]::new;
            IntFunction<int[]> lambda = n -> new int[n + 1];
            return List.of(reference, lambda);
        }

        private static Object copies(int n) {
            return List.of(new ArrayList<>(n), "a".repeat(n), new ArrayList<>(9), "a".repeat(9));
        }
    }

    private static void append(StringBuilder lines, Allocation allocation, int times) {
        lines.append(allocation.place).append('\t').append(allocation.what).append('\t');
        lines.append(times).append('\n');
    }

    private static Map<Allocation, Integer> found() throws IOException, URISyntaxException {
        Path classes = Path.of(MessageReader.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Map<Allocation, Integer> found = new TreeMap<>(ORDER);
        try (Stream<Path> files = Files.walk(classes.resolve("org/bloomgate/content"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                count(ClassFile.of().parse(file), found);
            }
        }
        return found;
    }

    private static void count(ClassModel type, Map<Allocation, Integer> found) {
        String owner = type.thisClass().asInternalName().replace('/', '.').substring(ROOT.length());
        for (MethodModel method : type.methods()) {
            String name = method.methodName().stringValue();
            boolean lambda = name.startsWith(LAMBDA);
            String place = owner + "." + (lambda ? name.substring(LAMBDA.length(), name.lastIndexOf('$')) : name);
            if (name.equals("<clinit>")) {
                continue;
            }
            for (String what : method.code().map(AllocationsTest::allocations).orElse(List.of())) {
                found.merge(new Allocation(place, what), 1, Integer::sum);
            }
        }
    }

    private static List<String> allocations(CodeModel code) {
        List<String> found = new ArrayList<>();
        List<Instruction> before = new ArrayList<>();
        for (CodeElement element : code) {
            if (element instanceof Instruction instruction) {
                String what = allocated(instruction, before);
                if (!what.isEmpty()) {
                    found.add(what);
                }
                before.add(instruction);
            }
        }
        return found;
    }

    /// What the instruction allocates with a size that is not a constant; empty for none.
    private static String allocated(Instruction instruction, List<Instruction> before) {
        return switch (instruction) {
            case NewPrimitiveArrayInstruction array
            when !constant(before, 1) -> array.typeKind().upperBound().displayName() + "[]";
            case NewReferenceArrayInstruction array
            when !constant(before, 1) -> array.componentType().asSymbol().displayName() + "[]";
            case NewMultiArrayInstruction array
            when !constant(before, array.dimensions()) ->
                array.arrayType().asSymbol().displayName();
            case InvokeInstruction call when !constant(before, 1) -> called(call);
            case InvokeDynamicInstruction call ->
                call.bootstrapArgs().stream()
                        .filter(DirectMethodHandleDesc.class::isInstance)
                        .map(argument -> called((DirectMethodHandleDesc) argument))
                        .reduce("", String::concat);
            default -> "";
        };
    }

    private static boolean constant(List<Instruction> before, int values) {
        return before.size() >= values
                && before.subList(before.size() - values, before.size()).stream()
                        .allMatch(ConstantInstruction.class::isInstance);
    }

    private static String called(InvokeInstruction call) {
        boolean sized = call.opcode() == Opcode.INVOKESPECIAL
                && !call.typeSymbol().parameterList().isEmpty();
        return name(
                call.owner().asSymbol().packageName() + "."
                        + call.owner().asSymbol().displayName(),
                call.name().stringValue(),
                sized);
    }

    private static String called(DirectMethodHandleDesc reference) {
        return name(
                reference.owner().packageName() + "." + reference.owner().displayName(),
                reference.methodName(),
                reference.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
                        && reference.invocationType().parameterCount() > 0);
    }

    private static String name(String type, String method, boolean sized) {
        String simple = type.substring(type.lastIndexOf('.') + 1);
        if (sized && method.equals("<init>") && SIZED.contains(type)) {
            return simple;
        }
        return COPIES.contains(method) && !COLLECTIONS.contains(simple) ? simple + "." + method : "";
    }
}
