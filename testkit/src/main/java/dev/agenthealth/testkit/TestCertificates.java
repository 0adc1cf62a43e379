package dev.agenthealth.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** A certificate of a host, created by the JDK's keytool, with server sockets that use it and a trust manager that accepts it. Thread-safe. */
public final class TestCertificates {

    private static final char[] PASSWORD = "only-for-a-test".toCharArray();

    /** The certificates by host, since keytool takes longer than most tests. */
    private static final Map<String, TestCertificates> CREATED = new ConcurrentHashMap<>();

    private final SSLContext server;
    private final X509ExtendedTrustManager trust;

    private TestCertificates(SSLContext server, X509ExtendedTrustManager trust) {
        this.server = server;
        this.trust = trust;
    }

    /** Returns a factory of server sockets with the certificate. */
    public SSLServerSocketFactory server() {
        return server.getServerSocketFactory();
    }

    /** Returns a trust manager that trusts only this certificate. */
    public X509ExtendedTrustManager trust() {
        return trust;
    }

    /** Returns the certificate of this host, which all tests of a JVM share. It is valid on the day of the run. */
    public static TestCertificates of(String host) {
        return CREATED.computeIfAbsent(host, TestCertificates::another);
    }

    /** Returns a certificate of this host that differs from the result of {@link #of}. */
    public static TestCertificates another(String host) {
        try {
            Path folder = Files.createTempDirectory("certificate");
            Path file = folder.resolve("store.p12");
            try {
                generate(host, file);
                return read(file);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static void generate(String host, Path file) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                "test",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-validity",
                "2");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        try {
            if (process.waitFor() != 0) {
                throw new AssertionError(output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static TestCertificates read(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        // An entry with a key is not trusted as such.
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("test", store.getCertificate("test"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return new TestCertificates(context, (X509ExtendedTrustManager) trust.getTrustManagers()[0]);
    }
}
