package dev.agenthealth.emulator.apigateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.Route;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTableTest {

    private final RouteTable<String> routes = new RouteTable<>(table(
            "GET /",
            "ANY /things/{proxy+}",
            "GET /things/{id}",
            "GET /things/special",
            "ANY /things/special",
            "GET /things/{id}/parts/{part}",
            "GET /things/special/parts/{part}"));

    private static Map<Route, String> table(String... routeKeys) {
        Map<Route, String> table = new LinkedHashMap<>();
        Stream.of(routeKeys).map(key -> key.split(" ")).forEach(key -> {
            Route route = new Route(key[0], key[1]);
            table.put(route, route.routeKey());
        });
        return table;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    GET    | /                        | GET /                            | {}
                    GET    | /things/1                | GET /things/{id}                 | {id=1}
                    GET    | /things/special          | GET /things/special              | {}
                    PUT    | /things/special          | ANY /things/special              | {}
                    PUT    | /things/1                | ANY /things/{proxy+}             | {proxy=1}
                    GET    | /things/1/2/3            | ANY /things/{proxy+}             | {proxy=1/2/3}
                    GET    | /things/1/parts/2        | GET /things/{id}/parts/{part}    | {id=1, part=2}
                    GET    | /things/special/parts/2  | GET /things/special/parts/{part} | {part=2}
                    GET    | /things/a%2Fb            | GET /things/{id}                 | {id=a%2Fb}
                    GET    | /things/%73pecial        | GET /things/{id}                 | {id=%73pecial}
                    GET    | /things/..               | GET /things/{id}                 | {id=..}
                    GET    | /things/                 | none                             | none
                    GET    | /things                  | none                             | none
                    GET    | //things/1               | none                             | none
                    GET    | /things/1/               | ANY /things/{proxy+}             | {proxy=1/}
                    POST   | /                        | none                             | none
                    HEAD   | /                        | none                             | none
                    OPTIONS| /                        | none                             | none
                    get    | /                        | none                             | none
                    """)
    void finds_the_most_specific_route(String method, String path, String routeKey, String parameters) {
        Optional<RouteTable.Match<String>> match = routes.match(method, path);
        assertThat(match.map(RouteTable.Match::target)).isEqualTo(Optional.ofNullable(routeKey));
        assertThat(match.map(found -> found.rawParameters().toString())).isEqualTo(Optional.ofNullable(parameters));
    }
}
