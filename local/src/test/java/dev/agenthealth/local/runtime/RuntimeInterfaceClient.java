package dev.agenthealth.local.runtime;

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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.utilslite.SdkInternalThreadLocal;

/** The runtime interface client as a program: its own libraries, which are none of the package's, and its native part. */
final class RuntimeInterfaceClient {

    /** Left alone, every process writes its native part into the same file, at which they meet. */
    private static final String NATIVE_PART =
            "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

    private final Path nativePart;

    /** @param folder an existing one, for the native part */
    RuntimeInterfaceClient(Path folder) {
        this.nativePart = folder.resolve("runtime-interface-client.so");
        try (InputStream content = AWSLambda.class.getResourceAsStream(resource())) {
            Files.copy(content, nativePart);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Why it cannot run on this machine: it is made for Linux, on two kinds of processor. */
    static Optional<String> unusable() {
        return AWSLambda.class.getResource(resource()) == null
                ? Optional.of("the runtime interface client has no native part for " + System.getProperty("os.name")
                        + " on " + System.getProperty("os.arch"))
                : Optional.empty();
    }

    /** The command that starts it, on the JDK of this process. */
    List<String> command(String handler) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // What makes many short processes bearable; it changes nothing that they do.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx256m",
                // What Lambda sets: SnapStart's hooks are those of the client, and its native part may be loaded.
                "-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac",
                "--enable-native-access=ALL-UNNAMED",
                "-D" + NATIVE_PART + "=" + nativePart,
                "-cp",
                libraries(),
                AWSLambda.class.getName(),
                handler);
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
