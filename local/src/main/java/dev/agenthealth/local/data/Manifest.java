package dev.agenthealth.local.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.dynamodb.sqlite.DatabaseFile;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The contents of a backup: the first entry of the archive.
 *
 * @param createdAt when the backup was made, ISO 8601
 * @param version the version of the program that made it
 * @param files the files of the data folder
 */
record Manifest(String createdAt, String version, List<Item> files) {

    static final String ENTRY = "agent-health-backup.json";

    /** The format of archives that this version writes, and the only format that it reads. */
    private static final int ARCHIVE_FORMAT = 1;

    /**
     * A file.
     *
     * @param name relative to the data folder, with slashes
     * @param sha256 the hash of its content, in hexadecimal digits
     */
    record Item(String name, long size, String sha256) {

        static Item of(Path folder, Path file) throws IOException {
            MessageDigest digest = Manifest.sha256();
            try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
                Files.copy(file, out);
            }
            String name = folder.relativize(file).toString().replace('\\', '/');
            return new Item(name, Files.size(file), HexFormat.of().formatHex(digest.digest()));
        }

        /** Returns true if the name stays inside the folder. */
        private boolean isPlain() {
            return Arrays.stream(name.split("/", -1))
                    .noneMatch(part -> part.isEmpty()
                            || part.equals(".")
                            || part.equals("..")
                            || part.matches(".*[\\p{Cntrl}\\\\:].*"));
        }
    }

    Manifest {
        files = List.copyOf(files);
    }

    /** Returns the size of all files in bytes. */
    long size() {
        return files.stream().mapToLong(Item::size).sum();
    }

    byte[] bytes() {
        ObjectNode json = Json.object()
                .put("archive_format", ARCHIVE_FORMAT)
                .put("data_format", DatabaseFile.FORMAT)
                .put("created_at", createdAt)
                .put("version", version);
        ArrayNode list = json.putArray("files");
        files.forEach(file -> list.addObject()
                .put("name", file.name())
                .put("size", file.size())
                .put("sha256", file.sha256()));
        return json.toPrettyString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a manifest.
     *
     * @param archive the archive's name, for messages
     * @throws IOException if it is no manifest, or of a newer version
     */
    static Manifest read(InputStream in, String archive) throws IOException {
        JsonNode json = Json.read(in.readAllBytes());
        if (json.path("archive_format").asInt() > ARCHIVE_FORMAT) {
            throw new IOException(
                    archive + " was made by a newer version of Agent Health; restore it with that version");
        }
        int format = json.path("data_format").asInt();
        if (format > DatabaseFile.FORMAT) {
            throw new IOException("the backup " + archive + " has the format " + format
                    + " of a newer version of Agent Health; this version reads up to format " + DatabaseFile.FORMAT
                    + ". Restore it with the newer version");
        }
        List<Item> files = new ArrayList<>();
        for (JsonNode file : json.path("files")) {
            Item item = new Item(
                    file.path("name").asText(),
                    file.path("size").asLong(),
                    file.path("sha256").asText());
            if (!item.isPlain() || !FolderFiles.isOwn(item.name())) {
                throw new IOException("it names the file '" + item.name() + "'");
            }
            files.add(item);
        }
        if (json.path("archive_format").asInt() < 1 || files.isEmpty()) {
            throw new IOException("it has no list of files");
        }
        return new Manifest(
                json.path("created_at").asText(), json.path("version").asText(), files);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
