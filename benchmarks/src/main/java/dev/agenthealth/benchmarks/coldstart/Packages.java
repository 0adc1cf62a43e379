package dev.agenthealth.benchmarks.coldstart;

import dev.agenthealth.testkit.runtime.LambdaPackage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.commons.codec.binary.Base64;
import org.apache.commons.logging.LogFactory;
import org.apache.http.HttpHost;
import org.apache.http.client.HttpClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;

/**
 * The deployed package of heartbeats, and an ordinary package of the same function. The ordinary package is one jar with all functions, the
 * SDK's default HTTP client, and no exclusions.
 */
final class Packages {

    private static final List<Class<?>> DEFAULT_CLIENT =
            List.of(ApacheHttpClient.class, HttpClient.class, HttpHost.class, Base64.class, LogFactory.class);

    private final Path folder;

    /** @param folder an existing folder for the packages */
    Packages(Path folder) {
        this.folder = folder;
    }

    /** Returns the deployed package, unpacked. */
    Path deployed() {
        Path task = create("deployed");
        new LambdaPackage().unpack(LambdaPackage.HEARTBEAT, task);
        return task;
    }

    /** Returns the ordinary package, unpacked. */
    Path ordinary() {
        Path task = create("ordinary");
        new LambdaPackage().unpack(LambdaPackage.WHOLE, task);
        DEFAULT_CLIENT.forEach(type -> unpack(location(type), task));
        String name = OrdinaryHeartbeatFunction.class.getName().replace('.', '/') + ".class";
        try (InputStream content =
                OrdinaryHeartbeatFunction.class.getClassLoader().getResourceAsStream(name)) {
            Files.createDirectories(task.resolve(name).getParent());
            Files.copy(content, task.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return task;
    }

    /** Returns an unpacked package as one jar. */
    Path jar(Path task) {
        Path jar = folder.resolve(task.getFileName() + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(task)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new ZipEntry(task.relativize(file).toString()));
                Files.copy(file, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return jar;
    }

    private Path create(String name) {
        try {
            return Files.createDirectory(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path location(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    private static void unpack(Path jar, Path task) {
        try (JarFile content = new JarFile(jar.toFile())) {
            for (var entry : content.stream().filter(e -> !e.isDirectory()).toList()) {
                Path file = task.resolve(entry.getName()).normalize();
                if (file.startsWith(task)) {
                    Files.createDirectories(file.getParent());
                    Files.copy(content.getInputStream(entry), file, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
