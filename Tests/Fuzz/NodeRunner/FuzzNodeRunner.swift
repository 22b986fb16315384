import FuzzDriver
import NodeHarnesses

@main
enum FuzzNodeRunner {
    static func main() { FuzzDriver.run(NodeTarget.self) }
}
