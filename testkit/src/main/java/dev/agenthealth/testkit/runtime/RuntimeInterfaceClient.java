package dev.agenthealth.testkit.runtime;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.api.client.AWSLambda;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.utilslite.SdkInternalThreadLocal;

/** The runtime interface client as a program: its own libraries, which are not in the package, and its native part. */
public final class RuntimeInterfaceClient {

    /** A separate file per process for the native part. By default all processes write the same file and collide. */
    private static final String NATIVE_PART =
            "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

    private final Path nativePart;

    /** @param folder an existing folder for the native part */
    public RuntimeInterfaceClient(Path folder) {
        this.nativePart = folder.resolve("runtime-interface-client.so");
        try (InputStream content = AWSLambda.class.getResourceAsStream(resource())) {
            Files.copy(content, nativePart);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns why it cannot run on this machine: it supports Linux on two kinds of processor. */
    public static Optional<String> unusable() {
        return AWSLambda.class.getResource(resource()) == null
                ? Optional.of("the runtime interface client has no native part for " + System.getProperty("os.name")
                        + " on " + System.getProperty("os.arch"))
                : Optional.empty();
    }

    /** Returns the command that starts it on the JDK of this process. */
    public List<String> command(String handler) {
        // These options make many short processes fast enough, and change none of their results.
        List<String> options = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m");
        return command(Path.of(System.getProperty("java.home")), options, List.of(), handler);
    }

    /**
     * Returns the command that starts it.
     *
     * @param javaHome the JDK
     * @param options options of the JVM
     * @param classPath entries before the client's own libraries
     */
    public List<String> command(Path javaHome, List<String> options, List<Path> classPath, String handler) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve(Path.of("bin", "java")).toString());
        command.addAll(options);
        // As Lambda does: the client provides SnapStart's hooks and may load its native part.
        command.add("-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-D" + NATIVE_PART + "=" + nativePart);
        command.add("-cp");
        command.add(Stream.concat(classPath.stream().map(Path::toString), Stream.of(libraries()))
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(AWSLambda.class.getName());
        command.add(handler);
        return command;
    }

    private static String resource() {
        boolean linux = System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux");
        String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
        String system = Files.exists(Path.of("/lib/ld-musl-" + System.getProperty("os.arch") + ".so.1"))
                ? "linux_musl"
                : "linux";
        return linux ? "/jni/libaws-lambda-jni." + system + "-" + processor + ".so" : "/jni/none";
    }

    private static String libraries() {
        return Stream.of(AWSLambda.class, Context.class, PojoSerializer.class, SdkInternalThreadLocal.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().toString())
                .map(location -> Path.of(URI.create(location)).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
